import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFired, until } from './fired-list.js';
import { dropDatabase, type MongoTimers, newDatabase, sharedServer, startClock } from './mongodb.js';

/** An instance locks what is due before its next look, and holds it as a timer until then. */
describe.skipIf(sharedServer === '')('a timer that an instance has taken and not fired', () => {
  let uri: string;
  let client: MongoClient;
  let timers: MongoTimers;
  let fired: string[];

  beforeEach(async () => {
    uri = newDatabase();
    client = new MongoClient(uri);
    timers = await startClock(uri);
    fired = listFired(timers);
  });
  afterEach(async () => {
    await timers.stop?.();
    await client.close();
    await dropDatabase(uri);
  });

  const row = (key: string) => client.db().collection('holdfast_jobs').findOne({ 'data.key': key });
  const isTaken = async (key: string) => (await row(key))?.lockedAt instanceof Date;

  /** Armed again and again until it is found taken long enough before its time. */
  async function takenBefore(key: string): Promise<number> {
    for (;;) {
      fired.length = 0;
      const at = Date.now() + 600;
      await timers.set(key, at);
      while (Date.now() < at - 100) {
        if (await isTaken(key)) return at;
        await pause(Date.now() + 25);
      }
    }
  }
  const pause = (until: number) => new Promise((resolve) => setTimeout(resolve, until - Date.now()));

  it('fires at its time', async () => {
    const at = await takenBefore('a');
    expect(fired).toEqual([]);
    await until('the timer', 60_000, () => fired.length === 1);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  it('does not fire at its old time when it is moved later', async () => {
    const at = await takenBefore('a');
    const later = at + 700;
    await timers.set('a', later);
    await pause(later - 50);
    expect(fired).toEqual([]);
    await until('the timer', 60_000, () => fired.length === 1);
  });

  it('does not fire when it is cleared', async () => {
    const at = await takenBefore('a');
    await timers.clear('a');
    await pause(at + 600);
    expect(fired).toEqual([]);
  });

  it('fires on another instance after this one was stopped', async () => {
    await takenBefore('a');
    await timers.drain(1_000);
    const other = await startClock(uri);
    const others = listFired(other);
    // Given back at once as a rule; a lock that was on its way when the timers stopped lasts its 10 s.
    await until('the timer', 15_000, () => others.includes('a'));
    await other.stop?.();
    expect(fired).toEqual([]);
  });

  it('leaves no row behind once it has fired', async () => {
    await timers.set('a', 0);
    await until('the end of its row', 60_000, async () => fired.length === 1 && (await row('a')) === null);
  });
});
