/** Two services whose wall clock is set forward and back, in the middle of a job, with schedules and tokens. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MovableClock } from '../../../scripts/services/movable-clock.mjs';
import { createRepository, endedJob } from '../actions.js';
import type { Api } from '../api.js';
import type { TestServer } from '../server.js';
import { Fleet } from '../soak/fleet.js';
import { waitFor } from '../wait-for.js';
import { HeldRepository } from './held-job.js';
import { expectSound, type SystemUnderTest } from './invariants.js';

vi.setConfig({ testTimeout: 600_000 });

const [hour, day] = [3_600, 86_400];
const fleet = new Fleet();
const clock = new MovableClock(fleet.workspace.path);
let one: TestServer;
let api: Api;
let system: SystemUnderTest;
let held: HeldRepository;
let hourly: number;
let daily: number;

beforeAll(async () => {
  const env = { ...clock.environment, ACCESS_TOKEN_EXPIRE_MINUTES: '525600' };
  one = await fleet.start(env);
  api = await one.login();
  await fleet.start(env);
  const [first = 0, second = 0] = await fleet.repositories(api, ['hourly', 'daily']);
  const { workspace, database } = fleet;
  const source = workspace.folder('source');
  const plain = await createRepository(api, {
    name: 'plain',
    path: join(workspace.path, 'plain'),
    source_directories: [source],
  });
  held = await HeldRepository.make(api, { folder: workspace.path, source, at: 'after' });
  hourly = await schedule('hourly', '0 * * * *', first);
  daily = await schedule('daily', '30 2 * * *', second);
  const { record } = fleet;
  system = { server: one, api, database, record, now: () => clock.now(), repository: plain, accepted: [] };
});
afterAll(() => fleet.remove());

async function schedule(name: string, cron_expression: string, repository_id: number): Promise<number> {
  const answer = await api.post('/api/schedule/', { name, cron_expression, repository_id, catch_up: 'one' });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body.job.id;
}

const setTo = (ahead: number) =>
  clock.set(ahead, async () => Date.parse((await one.api.get('/health')).headers.date ?? ''));

interface Slot {
  planned_at: number;
  outcome: string;
}
const slotsOf = (id: number) =>
  fleet.database.all<Slot>(
    'SELECT planned_at, outcome FROM slot WHERE schedule_id = ? ORDER BY planned_at',
    id,
  );
const completed = (slots: Slot[]) => slots.filter(({ outcome }) => outcome === 'completed').length;
const runs = (id: number, count: number) =>
  waitFor(async () => completed(await slotsOf(id)) === count && slotsOf(id), {
    what: `run ${count} of schedule ${id}`,
    timeoutMs: 180_000,
  });
const fenceOf = async (id: number) =>
  (await fleet.database.all<{ fence: number }>('SELECT fence FROM job WHERE id = ?', id))[0]?.fence;
const nextOf = async (id: number, table = 'schedule') =>
  (await fleet.database.all<{ next_run: number }>(`SELECT next_run FROM ${table} WHERE id = ?`, id))[0]
    ?.next_run ?? 0;

test('catches up once after two jumps of a day and keeps the running job', async () => {
  const id = await held.begin(api);
  system.accepted.push(id);
  for (const days of [1, 2]) {
    await setTo(days * day);
    const hours = await runs(hourly, days);
    expect(hours).toHaveLength(24 * days);
    expect(await runs(daily, days)).toHaveLength(days);
  }
  held.letGo();
  expect((await endedJob(api, id)).status).toBe('completed');
  expect(await fenceOf(id)).toBe(1);
});

test('ends a token exactly at its time', async () => {
  const make = async (minutes: number) => {
    const expires_at = new Date(clock.now() + minutes * 60_000).toISOString();
    const made = await api.post('/api/auth/tokens', { name: `for ${minutes} minutes`, expires_at });
    return api.as(made.body.access_token);
  };
  const [short, long] = [await make(30), await make(600)];
  const statuses = async () => [
    (await short.get('/api/auth/me')).status,
    (await long.get('/api/auth/me')).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  await setTo(2 * day - hour);
  expect(await statuses()).toEqual([200, 200]);
  await setTo(2 * day + hour);
  expect(await statuses()).toEqual([401, 200]);
});

test('repeats no slot after a jump back and keeps the running job', async () => {
  const id = await held.begin(api);
  system.accepted.push(id);
  const planned = async () => (await slotsOf(hourly)).map(({ planned_at }) => planned_at);
  const before = await planned();
  await setTo(2 * day - hour);
  held.letGo();
  expect((await endedJob(api, id)).status).toBe('completed');
  expect(await fenceOf(id)).toBe(1);
  expect((await planned()).slice(0, before.length)).toEqual(before);
});

test('plans within a period after a clock months ahead and a kill', async () => {
  const planned = await api.put(`/api/repositories/${system.repository.id}/check-schedule`, {
    cron_expression: '0 3 * * 0',
  });
  expect(planned.status).toBe(200);
  const before = completed(await slotsOf(daily));
  await setTo(300 * day);
  await runs(daily, before + 1);
  await setTo(2 * day - hour);
  const id = await held.begin(api);
  system.accepted.push(id);
  for (const server of fleet.servers) await server.stop('SIGKILL');
  await clock.set(-day, async () => clock.now());
  await one.launch();
  held.letGo();
  await endedJob(api, id, 180_000);
  const away = async (table: string, of: number) => (await nextOf(of, table)) - clock.now();
  await waitFor(async () => (await away('schedule', hourly)) <= hour * 1_000, {
    what: 'an hourly plan',
    timeoutMs: 60_000,
  });
  expect(await nextOf(daily)).toBeGreaterThan(clock.now());
  expect(await away('schedule', daily)).toBeLessThanOrEqual(day * 1_000);
  expect(await away('check_schedule', 1)).toBeLessThanOrEqual(7 * day * 1_000);
  await expectSound(system);
});
