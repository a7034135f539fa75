import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropDatabase, type MongoClock, newDatabase, sharedServer, startClock } from './mongodb.js';
import { listRings, until } from './ring-list.js';

/** An instance locks what is due before its next look, and holds it as a timer until then. */
describe.skipIf(sharedServer === '')('an alarm that an instance has taken and not rung', () => {
  let uri: string;
  let client: MongoClient;
  let clock: MongoClock;
  let rings: string[];

  beforeEach(async () => {
    uri = newDatabase();
    client = new MongoClient(uri);
    clock = await startClock(uri);
    rings = listRings(clock);
  });
  afterEach(async () => {
    await clock.stop?.();
    await client.close();
    await dropDatabase(uri);
  });

  const row = (key: string) => client.db().collection('holdfast_alarms').findOne({ 'data.key': key });
  const isTaken = async (key: string) => (await row(key))?.lockedAt instanceof Date;

  /** Armed again and again until it is found taken long enough before its time. */
  async function takenBefore(key: string): Promise<number> {
    for (;;) {
      rings.length = 0;
      const at = Date.now() + 600;
      await clock.ring(key, at);
      while (Date.now() < at - 100) {
        if (await isTaken(key)) return at;
        await pause(Date.now() + 25);
      }
    }
  }
  const pause = (until: number) => new Promise((resolve) => setTimeout(resolve, until - Date.now()));

  it('rings at its time', async () => {
    const at = await takenBefore('a');
    expect(rings).toEqual([]);
    await until('the ring', 10_000, () => rings.length === 1);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  it('does not ring at its old time when it is moved later', async () => {
    const at = await takenBefore('a');
    const later = at + 700;
    await clock.ring('a', later);
    await pause(later - 50);
    expect(rings).toEqual([]);
    await until('the ring', 10_000, () => rings.length === 1);
  });

  it('does not ring when it is silenced', async () => {
    const at = await takenBefore('a');
    await clock.silence('a');
    await pause(at + 600);
    expect(rings).toEqual([]);
  });

  it('rings on another instance after this one was stopped', async () => {
    await takenBefore('a');
    await clock.drain(1_000);
    const other = await startClock(uri);
    const others = listRings(other);
    // Given back at once as a rule; a lock that was on its way when the clock stopped lasts its 10 s.
    await until('the ring', 15_000, () => others.includes('a'));
    await other.stop?.();
    expect(rings).toEqual([]);
  });

  it('leaves no row behind once it has rung', async () => {
    await clock.ring('a', 0);
    await until('the end of its row', 10_000, async () => rings.length === 1 && (await row('a')) === null);
  });
});
