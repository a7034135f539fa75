import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFired, timed, until } from './fired-list.js';
import {
  type MongoServer,
  type MongoTimers,
  makeClock,
  sharedServer,
  startClock,
  startServer,
} from './mongodb.js';

/** The most that a refusal may take. */
const soon = 3_000;
/** A lock that nobody gives back, and some looks. */
const lockAndLooks = 15_000;

describe.skipIf(sharedServer === '')('MongoDB that fails', () => {
  let server: MongoServer;
  const clocks: MongoTimers[] = [];
  const keep = (timers: MongoTimers) => {
    clocks.push(timers);
    return timers;
  };
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(async () => {
    for (const timers of clocks.splice(0)) await timers.stop?.();
    await server.remove();
  });

  const refusesSoon = async (timers: MongoTimers) => {
    const refusal = () =>
      expect(timers.set('refused', 0)).rejects.toMatchObject({
        name: 'StoreError',
        kind: 'unavailable',
        retryable: true,
        message: 'MongoDB did not accept the timer. Try again in a few seconds.',
      });
    expect(await timed(refusal)).toBeLessThan(soon);
  };
  const firesAgain = async (timers: MongoTimers, fired: string[]) => {
    await until('a healthy timer service', lockAndLooks, async () => (await timers.health?.()) === null);
    await timers.set('after', Date.now());
    await until('a timer after the failure', 60_000, () => fired.includes('after'));
  };

  it('is down at the start: starts, reports it, and fires later', async () => {
    await server.stop();
    const timers = keep(await makeClock(server.uri));
    const fired = listFired(timers);
    expect(await timed(async () => timers.start?.())).toBeLessThan(2_000);
    expect(await timers.health?.()).toMatch(/^MongoDB (has not responded yet|can't be reached); timers wait/);
    await refusesSoon(timers);
    await until('a word in the log', 60_000, () => timers.log.complaints.length > 0);
    await server.launch();
    await firesAgain(timers, fired);
    expect(timers.log.complaints).toEqual(["MongoDB can't be reached; timers wait until it is back"]);
    expect(timers.log.infos).toEqual(['MongoDB responds again']);
  });

  it('is never up: stops quickly', async () => {
    await server.stop();
    const timers = keep(await startClock(server.uri));
    listFired(timers);
    expect(await timed(() => timers.drain(500))).toBeLessThan(1_500);
    expect(await timed(async () => timers.stop?.())).toBeLessThan(soon);
  });

  it('is killed and returns: fires the timers set before', async () => {
    const timers = keep(await startClock(server.uri));
    const fired = listFired(timers);
    await timers.set('before', Date.now() + 2_000);
    await server.stop('SIGKILL');
    await until('a sentence on its health', 60_000, async () => (await timers.health?.()) !== null);
    expect(await timers.health?.()).toMatch(/^MongoDB can't be reached; timers wait until it is back\.$/);
    await refusesSoon(timers);
    await server.launch();
    await firesAgain(timers, fired);
    await until('the timer of before', lockAndLooks, () => fired.includes('before'));
    expect(timers.log.complaints).toHaveLength(1);
  });

  it('hangs and continues: fires the timers set before', async () => {
    const timers = keep(await startClock(server.uri));
    const fired = listFired(timers);
    await timers.set('before', Date.now() + 1_000);
    await server.freeze();
    await refusesSoon(timers);
    await until('a sentence on its health', 60_000, async () => (await timers.health?.()) !== null);
    await refusesSoon(timers);
    server.signal('SIGCONT');
    await firesAgain(timers, fired);
    await until('the timer of before', lockAndLooks, () => fired.includes('before'));
  });

  it('hangs while the timer service is stopped: that is bounded', async () => {
    const timers = keep(await startClock(server.uri));
    listFired(timers);
    await timers.set('armed', Date.now() + 200);
    await server.freeze();
    expect(await timed(() => timers.drain(500))).toBeLessThan(1_500);
    expect(await timed(async () => timers.stop?.())).toBeLessThan(8_000);
  });
});
