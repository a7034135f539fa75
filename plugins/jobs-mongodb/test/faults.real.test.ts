import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type MongoClock,
  type MongoServer,
  makeClock,
  sharedServer,
  startClock,
  startServer,
} from './mongodb.js';
import { listRings, timed, until } from './ring-list.js';

/** The most that a refusal may take. */
const soon = 3_000;
/** A lock that nobody gives back, and some looks. */
const lockAndLooks = 15_000;

describe.skipIf(sharedServer === '')('MongoDB that fails', () => {
  let server: MongoServer;
  const clocks: MongoClock[] = [];
  const keep = (clock: MongoClock) => {
    clocks.push(clock);
    return clock;
  };
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(async () => {
    for (const clock of clocks.splice(0)) await clock.stop?.();
    await server.remove();
  });

  const refusesSoon = async (clock: MongoClock) => {
    const refusal = () =>
      expect(clock.ring('refused', 0)).rejects.toMatchObject({
        name: 'StoreError',
        kind: 'unavailable',
        retryable: true,
        message: 'MongoDB does not take the alarm now; ring again in some seconds.',
      });
    expect(await timed(refusal)).toBeLessThan(soon);
  };
  const ringsAgain = async (clock: MongoClock, rings: string[]) => {
    await until('a healthy clock', lockAndLooks, async () => (await clock.health?.()) === null);
    await clock.ring('after', Date.now());
    await until('a ring after the failure', 10_000, () => rings.includes('after'));
  };

  it('is down at the start: the service starts, says so, and rings once MongoDB is there', async () => {
    await server.stop();
    const clock = keep(await makeClock(server.uri));
    const rings = listRings(clock);
    expect(await timed(async () => clock.start?.())).toBeLessThan(2_000);
    expect(await clock.health?.()).toMatch(/^MongoDB (has not answered yet|can't be reached); alarms wait/);
    await refusesSoon(clock);
    await until('a word in the log', 20_000, () => clock.log.complaints.length > 0);
    await server.launch();
    await ringsAgain(clock, rings);
    expect(clock.log.complaints).toEqual(["MongoDB can't be reached; alarms wait until it is back"]);
    expect(clock.log.infos).toEqual(['MongoDB answers again']);
  });

  it('is never there: the clock can be stopped soon', async () => {
    await server.stop();
    const clock = keep(await startClock(server.uri));
    listRings(clock);
    expect(await timed(() => clock.drain(500))).toBeLessThan(1_500);
    expect(await timed(async () => clock.stop?.())).toBeLessThan(soon);
  });

  it('is killed and comes back: what was armed rings', async () => {
    const clock = keep(await startClock(server.uri));
    const rings = listRings(clock);
    await clock.ring('before', Date.now() + 2_000);
    await server.stop('SIGKILL');
    await until('a sentence on its health', 20_000, async () => (await clock.health?.()) !== null);
    expect(await clock.health?.()).toMatch(/^MongoDB can't be reached; alarms wait until it is back\.$/);
    await refusesSoon(clock);
    await server.launch();
    await ringsAgain(clock, rings);
    await until('the alarm of before', lockAndLooks, () => rings.includes('before'));
    expect(clock.log.complaints).toHaveLength(1);
  });

  it('hangs and goes on: what was armed rings', async () => {
    const clock = keep(await startClock(server.uri));
    const rings = listRings(clock);
    await clock.ring('before', Date.now() + 1_000);
    server.signal('SIGSTOP');
    await refusesSoon(clock);
    await until('a sentence on its health', 20_000, async () => (await clock.health?.()) !== null);
    await refusesSoon(clock);
    server.signal('SIGCONT');
    await ringsAgain(clock, rings);
    await until('the alarm of before', lockAndLooks, () => rings.includes('before'));
  });

  it('hangs while the clock is stopped: that is bounded', async () => {
    const clock = keep(await startClock(server.uri));
    listRings(clock);
    await clock.ring('armed', Date.now() + 200);
    server.signal('SIGSTOP');
    expect(await timed(() => clock.drain(500))).toBeLessThan(1_500);
    expect(await timed(async () => clock.stop?.())).toBeLessThan(8_000);
  });
});
