import { expect, test, vi } from 'vitest';
import type { PluginDescription } from '../../src/engine/plugins/plugin-host.js';
import { type Message, say } from '../../src/foundation/kernel/index.js';
import { getHealth } from '../../src/insight/monitoring/system.js';

const plugin = (kind: PluginDescription['kind'], id: string, health: string | null): PluginDescription => ({
  name: `@holdfast/${kind}-${id}`,
  version: '1.0.0',
  kind,
  id,
  capabilities: [],
  from: 'built-in',
  optional: false,
  chosen: true,
  health,
  notices: [],
});

let trailProblem: Message | null = null;
const quietTrail = { append: async () => {}, problem: () => trailProblem, end: async () => {} };

function open(describe: () => Promise<PluginDescription[]>) {
  const clock = { time: 1_000_000, now: () => clock.time };
  const ask = vi.fn(describe);
  const heartbeatState = { problem: null as string | null };
  const needs = { plugins: { describe: ask }, clock, auditTrail: quietTrail, heartbeatState };
  return { clock, ask, heartbeatState, health: getHealth(needs) };
}

const well = {
  status: 'healthy',
  service: 'holdfast',
  ready: true,
  degraded: [],
  degraded_codes: [],
  notices: [],
};

test('reports healthy', async () => {
  const { health } = open(async () => [plugin('storage', 'sqlite', null), plugin('jobs', 'mongodb', null)]);
  expect(await health()).toEqual(well);
});

test('reports limits of the machine as notices, not as problems', async () => {
  const notices = ['Extraction is not confined.'];
  const { health } = open(async () => [{ ...plugin('driver', 'borg', null), notices }]);
  expect(await health()).toEqual({ ...well, notices });
});

test('names an unhealthy part without its internal error', async () => {
  const { health } = open(async () => [plugin('jobs', 'mongodb', 'connect ECONNREFUSED 10.0.0.7:27017')]);
  expect(await health()).toEqual({
    ...well,
    degraded: ['The jobs plugin mongodb is not healthy; administrators see why in GET /api/plugins.'],
    degraded_codes: [{ code: 'health_plugin', params: { plugin: 'jobs', id: 'mongodb' } }],
  });
});

test('reports up and not ready without its storage', async () => {
  const { health } = open(async () => [plugin('storage', 'sqlite', 'gone')]);
  expect(await health()).toMatchObject({ status: 'healthy', ready: false });
});

test('asks the plugins once a second, even for many callers', async () => {
  const { health, ask, clock } = open(async () => []);
  await Promise.all(Array.from({ length: 20 }, () => health()));
  clock.time += 999;
  await health();
  expect(ask).toHaveBeenCalledTimes(1);
  clock.time += 1;
  await Promise.all(Array.from({ length: 20 }, () => health()));
  expect(ask).toHaveBeenCalledTimes(2);
});

test('returns a cached result for two seconds, then reads again', async () => {
  let answers: PluginDescription[][] = [[]];
  const { health, clock } = open(async () => answers.shift() ?? new Promise<never>(() => {}));
  expect(await health()).toEqual(well);
  answers = [[plugin('storage', 'sqlite', 'gone')]];
  clock.time += 1_999;
  expect(await health(), 'asked beside it').toEqual(well);
  expect(await health()).toMatchObject({ ready: false });
  answers = [[]];
  clock.time += 2_000;
  expect(await health(), 'waited for').toEqual(well);
});

test('does not wait for a slow plugin and reports it later', async () => {
  let answer: (found: PluginDescription[]) => void = () => undefined;
  const { health, clock } = open(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = health();
  await vi.advanceTimersByTimeAsync(500);
  vi.useRealTimers();
  expect(await asked).toEqual(well);
  answer([plugin('storage', 'sqlite', 'slow')]);
  await vi.waitFor(async () => expect(await health()).toMatchObject({ ready: false }), 20_000);
  clock.time += 10_000;
  expect(await health(), 'the last answer stands while there is no new one').toMatchObject({ ready: false });
});

test('reports an audit trail that cannot be written', async () => {
  const { health } = open(async () => []);
  trailProblem = say`audit_not_written: The audit trail cannot be written.`;
  expect(await health()).toEqual({
    ...well,
    degraded: [trailProblem.text],
    degraded_codes: [{ code: 'audit_not_written', params: {} }],
  });
  trailProblem = null;
});

test('shows a notice until the heartbeat monitor accepts a heartbeat', async () => {
  const { health, heartbeatState } = open(async () => []);
  heartbeatState.problem = 'it responded with status 500';
  expect((await health()).notices).toEqual([
    'The monitor of HEARTBEAT_URL did not accept the last heartbeat: it responded with status 500.',
  ]);
  heartbeatState.problem = null;
  expect((await health()).notices).toEqual([]);
});
