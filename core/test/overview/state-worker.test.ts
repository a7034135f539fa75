import type { PublishedStates } from '@holdfast/plugin-api';
import { expect, it } from 'vitest';
import { events } from '../../src/foundation/events/tables.js';
import { makeStateWorker } from '../../src/insight/overview/state-worker.js';
import { hour, incidentWorld, minute } from '../incidents/world.js';

const never = 2 ** 31 - 1;

function stateWorld() {
  const world = incidentWorld();
  const published: PublishedStates[] = [];
  const fault = { error: null as Error | null };
  const publisher = {
    async publish(states: PublishedStates) {
      if (fault.error) throw fault.error;
      published.push(states);
    },
  };
  const worker = makeStateWorker(world.needs, publisher, { lookEvery: never, readEvery: 60_000 });
  worker.start();
  const look = async (ms = 0) => {
    world.clock.advance(ms);
    await worker.look();
    return published.splice(0);
  };
  return { ...world, look, fault };
}

it('publishes at first, after changes, and when time makes a backup late', async () => {
  const { look, repository, archive, clock } = stateWorld();
  expect(await look()).toMatchObject([{ protected: false, state: 'empty', repositories: [] }]);
  const home = await repository('home');
  const start = clock.now();
  await archive(home, start);
  const state = { id: home.id, name: 'home', protected: true, late: false, damaged: false };
  const times = { newestArchive: new Date(start).toISOString(), lastVerifiedRestore: null };
  expect(await look(minute)).toEqual([
    {
      protected: true,
      state: 'protected',
      text: 'Protected: 1 of 1 repositories.',
      repositories: [{ ...state, ...times }],
    },
  ]);
  expect(await look(minute)).toEqual([]);
  expect(await look(40 * hour)).toMatchObject([
    { protected: false, state: 'late', repositories: [{ protected: false, late: true }] },
  ]);
});

it('looks at the states again after an event, but not before', async () => {
  const { look, repository, archive, storage } = stateWorld();
  await look();
  const home = await repository('home');
  await archive(home);
  await look(minute);
  await archive(home);
  expect(await look(5_000)).toEqual([]);
  await storage.insert(events, { kind: 'backup_completed', at: 0, data: {} } as never);
  expect(await look(5_000)).toHaveLength(1);
});

it('publishes again after a failure', async () => {
  const { look, fault } = stateWorld();
  fault.error = new Error('broken');
  expect(await look()).toEqual([]);
  fault.error = null;
  expect(await look()).toHaveLength(1);
  expect(await look()).toEqual([]);
});
