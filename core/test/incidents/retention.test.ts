import { expect, it } from 'vitest';
import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { hour, incidentWorld, minute } from './world.js';

const day = 24 * hour;

it('removes closed incidents with messages after a year and keeps open ones', async () => {
  const world = incidentWorld();
  await world.create();
  const { clock, storage } = world;
  for (const name of ['ended', 'lasting']) {
    await world.archive(await world.repository(name), clock.now() - 30 * hour);
  }
  await world.look();
  await world.archive({ id: 1 });
  clock.advance(minute);
  await world.look();
  await storage.update(deliveries, {}, { status: 'delivered', ended_at: clock.now() });
  const keeping = makeHousekeepingWorker(world.needs);
  clock.advance(364 * day);
  await keeping.round();
  expect([(await world.all()).length, (await world.rows()).length]).toEqual([2, 3]);
  clock.advance(2 * day);
  await keeping.round();
  expect((await world.all()).map(({ id }) => id)).toEqual([2]);
  expect(await world.rows()).toEqual([]);
});
