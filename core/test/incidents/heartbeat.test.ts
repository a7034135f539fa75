import { beforeEach, expect, it } from 'vitest';
import { makeHeartbeatWorker } from '../../src/insight/incidents/heartbeat-worker.js';
import { collectMetrics } from '../../src/insight/monitoring/collect-metrics.js';
import { hour, type IncidentWorld, incidentWorld, minute } from './world.js';

const never = 2 ** 31 - 1;
let world: IncidentWorld;
let beats: (string | null)[];
let fault: Error | null;
beforeEach(() => {
  world = incidentWorld();
  beats = [];
  fault = null;
});
const start = (configured = true) => {
  const heartbeat = {
    async beat(problem: string | null) {
      beats.push(problem);
      if (fault) throw fault;
    },
  };
  const state = { problem: null as string | null };
  const parts = {
    heartbeat: configured ? heartbeat : null,
    state,
    times: { every: 5 * minute, lookEvery: never },
  };
  const worker = makeHeartbeatWorker(world.needs, parts);
  worker.start();
  return { ...worker, state };
};
const metric = async () => {
  const all = await collectMetrics({ ...world.needs, plugins: { describe: async () => [] } } as never)();
  return all.find(({ name }) => name === 'bk_heartbeat_success')?.samples.map(({ value }) => value);
};

it('is sent every five minutes by one of two instances, with any problem', async () => {
  const home = await world.repository('home');
  const [one, other] = [start(), start()];
  const look = () => Promise.all([one.look(), other.look()]);
  await look();
  await look();
  expect(beats).toEqual([null]);
  world.clock.advance(5 * minute - 1);
  await look();
  expect(beats).toHaveLength(1);
  await world.archive(home, world.clock.now() - 30 * hour);
  world.clock.advance(1);
  await look();
  expect(beats.slice(1)).toEqual([
    'Not everything is protected. Repositories: 1; late: 1; damaged: 0; unknown: 0.',
  ]);
});

it('shows a failure in each instance, until it works again', async () => {
  const [one, other] = [start(), start()];
  fault = new Error('it responded with status 500');
  await one.look();
  await other.look();
  const problem = 'it responded with status 500';
  expect([one.state.problem, other.state.problem]).toEqual([problem, problem]);
  expect(await metric()).toEqual([0]);
  fault = null;
  world.clock.advance(5 * minute);
  await other.look();
  await one.look();
  expect([one.state.problem, other.state.problem, await metric()]).toEqual([null, null, [1]]);
});

it('leaves nothing behind when its address is removed', async () => {
  await start().look();
  await start(false).look();
  expect([beats.length, await metric()]).toEqual([1, []]);
});
