import { col, entity } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { allEntities } from '../../src/app/schema/tables.js';
import { isHidden, makeHiddenFrom, ownerColumns } from '../../src/backup/repositories/hidden-repositories.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { visibleStorage } from '../../src/backup/repositories/visible-storage.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { incidents } from '../../src/insight/incidents/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const row = (id: number, more: object = {}) => ({
  uid: `u${id}`,
  tool_id: `t${id}`,
  name: `r${id}`,
  path: `/r${id}`,
  encryption: 'none' as const,
  compression: 'lz4',
  source_directories: [],
  exclude_patterns: [],
  mode: 'full' as const,
  created_at: 1,
  updated_at: 1,
  ...more,
});
const job = (repository_id: number | null, more: object = {}) => ({
  kind: 'backup' as const,
  status: 'completed' as const,
  repository_id,
  repository_path: '/',
  repository_name: 'r',
  requested_by: 'ann',
  requested_at: 1,
  parameters: {},
  progress: {} as never,
  ...more,
});

/** Repository 2 is the backup of the service itself, and 3 a former registration of it. */
async function world() {
  const whole = memoryStorage();
  const former = { schedules: [{ id: 3, uid: null, position: 0, disabled: true }] } as never;
  await whole.insert(repositories, row(1));
  await whole.insert(repositories, row(2, { admin_only: true }));
  await whole.insert(repositories, row(3, { admin_only: true, removed_at: 5, former }));
  for (const name of ['mixed', 'own', 'formerly own', 'empty']) {
    const times = { created_at: 1, updated_at: 1, catch_up: 'once' as never, timezone: 'UTC' };
    await whole.insert(schedules, { name, cron_expression: '', ...times });
  }
  for (const [schedule_id, repository_id] of [
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const) {
    await whole.insert(scheduleRepositories, { schedule_id, repository_id, position: 0 });
  }
  const hiddenFrom = makeHiddenFrom(whole);
  return { whole, hiddenFrom, visible: visibleStorage(whole, () => hiddenFrom({ isAdmin: false })) };
}

test('hides the backup of Holdfast itself and its own schedules from users only', async () => {
  const { hiddenFrom, visible } = await world();
  expect(await hiddenFrom({ isAdmin: true })).toEqual({ repositories: new Set(), schedules: new Set() });
  expect(await hiddenFrom({ isAdmin: false })).toEqual({
    repositories: new Set([2, 3]),
    schedules: new Set([2, 3]),
  });
  expect((await visible.find(repositories)).map(({ id }) => id)).toEqual([1]);
  expect((await visible.find(schedules)).map(({ name }) => name)).toEqual(['mixed', 'empty']);
  expect(await visible.transaction((session) => session.find(repositories, { where: { id: 2 } }))).toEqual(
    [],
  );
});

test('fills a page with visible rows if some are hidden', async () => {
  const { whole, visible } = await world();
  for (const repository_id of [1, 2, 2, 2, 1, null, 2, 1]) await whole.insert(jobs, job(repository_id));
  await whole.insert(jobs, job(null, { former_repository_id: 3 }));
  const ids = async (query: object) => (await visible.find(jobs, query)).map(({ id }) => id);
  expect(await ids({})).toEqual([1, 5, 6, 8]);
  expect(await ids({ limit: 2 })).toEqual([1, 5]);
  expect(await ids({ limit: 2, offset: 1 })).toEqual([5, 6]);
  expect(await ids({ limit: 3, order: [['id', 'desc']] })).toEqual([8, 6, 5]);
  expect(await ids({ offset: 3 })).toEqual([8]);
  expect(await ids({ limit: 0 })).toEqual([]);
});

test('counts visible rows only, in the groups that were asked for', async () => {
  const { whole, visible } = await world();
  for (const [repository_id, start] of [
    [1, 10],
    [2, 99],
    [1, 20],
  ] as const) {
    const facts = {
      tool_id: `${start}`,
      name: `${start}`,
      hostname: '',
      username: '',
      comment: '',
      seen_at: 1,
    };
    await whole.insert(archives, { repository_id, start, ...facts });
  }
  const measures = {
    count: { count: true },
    last: { max: 'start' },
    first: { min: 'start' },
    all: { sum: 'start' },
  };
  const of = (query: object) => visible.aggregate(archives, { measures, ...query } as never);
  expect(await of({})).toEqual([{ count: 2, last: 20, first: 10, all: 30 }]);
  expect(await of({ groupBy: ['partial'] })).toEqual([
    { partial: false, count: 2, last: 20, first: 10, all: 30 },
  ]);
  expect(await of({ where: { repository_id: 2 } })).toEqual([
    { count: 0, last: null, first: null, all: null },
  ]);
  expect(await of({ where: { repository_id: 2 }, groupBy: ['repository_id'] })).toEqual([]);
});

test('finds the repositories of events and incidents about several objects', async () => {
  const { hiddenFrom } = await world();
  const hidden = await hiddenFrom({ isAdmin: false });
  const isIt = (name: string, about: object) => isHidden({ name }, { repository_id: null, ...about }, hidden);
  expect(isIt('event', { data: { repository_ids: [1, 2] } })).toBe(true);
  expect(isIt('event', { data: { repository_ids: [1], schedule_id: 2 } })).toBe(false);
  expect(isIt('event', { data: { repository_ids: [], schedule_id: 2 } })).toBe(true);
  expect(isIt('event', { data: {} })).toBe(false);
  expect(isIt(incidents.name, { object_kind: 'schedule', object_id: 2 })).toBe(true);
  expect(isIt(incidents.name, { object_kind: 'connection', object_id: 2 })).toBe(false);
});

/** Reached only through a row that has an owner, or of no repository. */
const withoutOwner = [
  ...['job_log', 'drill_result', 'restore_plan', 'restore_run', 'restore_manifest', 'found_repository'],
  ...['audit_head', 'browser_session', 'download_ticket', 'duty', 'event_sequence'],
  ...['housekeeping', 'idempotency_key', 'instance', 'notification_setting', 'repository_making', 'script'],
  ...['setting', 'source_set', 'ssh_connection', 'ssh_key', 'storage_move', 'token', 'user'],
];

test('classifies every table as bound to repositories or not', () => {
  const unowned = allEntities.filter((each) => ownerColumns(each).length === 0).map(({ name }) => name);
  expect(unowned.sort()).toEqual(withoutOwner.sort());
  expect(ownerColumns(entity('thing', { id: col.id(), repository_id: col.integer.nullable() }))).toEqual([
    'repository_id',
  ]);
});
