import type { Grant, Right } from '@holdfast/contracts';
import { col, entity } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { allEntities } from '../../src/app/schema/tables.js';
import { isHidden, makeHiddenFrom, ownerColumns } from '../../src/backup/repositories/hidden-repositories.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { visibleStorage } from '../../src/backup/repositories/visible-storage.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { events } from '../../src/foundation/events/tables.js';
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
  return { whole, hiddenFrom, visible: visibleStorage(whole, (needs) => hiddenFrom(user, 'see', needs)) };
}
const user = { isAdmin: false, limits: undefined };

test('hides the backup of Holdfast itself and its own schedules from users only', async () => {
  const { hiddenFrom, visible } = await world();
  expect((await hiddenFrom({ isAdmin: true, limits: undefined })).isEmpty).toBe(true);
  const hidden = await hiddenFrom(user);
  expect([1, 2, 3].filter(hidden.repository)).toEqual([2, 3]);
  expect([1, 2, 3, 4].filter(hidden.schedule)).toEqual([2, 3]);
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
  const hidden = await hiddenFrom(user);
  const isIt = (name: string, about: object) => isHidden({ name }, { repository_id: null, ...about }, hidden);
  expect(isIt('event', { data: { repository_ids: [1, 2] } })).toBe(true);
  expect(isIt('event', { data: { repository_ids: [1], schedule_id: 2 } })).toBe(false);
  expect(isIt('event', { data: { repository_ids: [], schedule_id: 2 } })).toBe(true);
  expect(isIt('event', { data: {} })).toBe(false);
  expect(isIt(incidents.name, { object_kind: 'schedule', object_id: 2 })).toBe(true);
  expect(isIt(incidents.name, { object_kind: 'connection', object_id: 2 })).toBe(false);
});

/** Repositories 4 and 5 in addition, and one schedule over 1 and 4. */
async function limitedTo(...limits: Grant[][]) {
  const { whole, hiddenFrom } = await world();
  await whole.insert(
    repositories,
    row(4, { tags: ['Web'], source_directories: ['/letters'], custom_flags: '-x' }),
  );
  await whole.insert(repositories, row(5, { tags: ['web', 'shop'], admin_only: true }));
  await whole.insert(scheduleRepositories, { schedule_id: 4, repository_id: 1, position: 0 });
  await whole.insert(scheduleRepositories, { schedule_id: 4, repository_id: 4, position: 1 });
  const viewer = { isAdmin: false, limits };
  const at = (right: Right) => visibleStorage(whole, (needs) => hiddenFrom(viewer, right, needs));
  const seen = async (right: Right) => ({
    repositories: (await at(right).find(repositories)).map(({ id }) => id),
    schedules: (await at(right).find(schedules)).map(({ id }) => id),
  });
  return { whole, at, seen };
}

test('shows a limited viewer the repositories of its grants', async () => {
  const { seen } = await limitedTo([
    { repository_id: 1, right: 'operate' },
    { tag: 'WEB', right: 'restore' },
    { repository_id: 2, right: 'operate' },
    { repository_id: 99, right: 'operate' },
  ]);
  expect(await seen('see')).toEqual({ repositories: [1, 4], schedules: [1, 4] });
  expect(await seen('restore')).toEqual({ repositories: [1, 4], schedules: [1, 4] });
  // A schedule is operated as a whole.
  expect(await seen('operate')).toEqual({ repositories: [1], schedules: [] });
});

test('shows a narrowed token no more than both lists grant', async () => {
  const { seen } = await limitedTo(
    [
      { repository_id: 1, right: 'see' },
      { tag: 'web', right: 'operate' },
    ],
    [
      { repository_id: 1, right: 'operate' },
      { repository_id: 4, right: 'restore' },
    ],
  );
  expect((await seen('see')).repositories).toEqual([1, 4]);
  expect((await seen('restore')).repositories).toEqual([4]);
  expect((await seen('operate')).repositories).toEqual([]);
});

test('shows a limited viewer without grants nothing', async () => {
  const { at, seen, whole } = await limitedTo([]);
  await whole.insert(jobs, job(null));
  expect(await seen('see')).toEqual({ repositories: [], schedules: [] });
  expect(await at('see').find(jobs)).toEqual([]);
  expect(await at('see').aggregate(jobs, { measures: { count: { count: true } } })).toEqual([{ count: 0 }]);
});

test.each([
  [{}, [2, 5]],
  [{ where: { repository_id: 4 } }, [2, 5]],
  [{ where: { repository_id: 1 } }, []],
  [{ where: { repository_id: { in: [1, 4] } } }, [2, 5]],
  [{ where: { repository_id: { not: 7 } } }, [2, 5]],
  [{ where: { repository_id: null } }, []],
  [{ limit: 1, offset: 1 }, [5]],
])('reads jobs of a limited viewer with %j', async (query, expected) => {
  const { at, whole } = await limitedTo([{ repository_id: 4, right: 'restore' }]);
  for (const id of [1, 4, null, 2, 4]) await whole.insert(jobs, job(id));
  expect((await at('see').find(jobs, query as never)).map(({ id }) => id)).toEqual(expected);
});

test('shows names of files only with the right to restore', async () => {
  const failed = { error_message: 'No /letters', error_code: 'missing', error_params: { path: '/letters' } };
  const full = { error_message: 'Full', error_code: 'full', error_params: {} };
  const waits = { waiting_for: 'r1', waiting_for_code: 'waits', waiting_for_params: { name: 'r1' } };
  const of = async (right: Right) => {
    const { at, whole } = await limitedTo([{ repository_id: 4, right }]);
    await whole.insert(
      jobs,
      job(4, { progress: { currentPath: '/letters/1' } as never, ...failed, ...waits }),
    );
    await whole.insert(jobs, job(4, { ...full }));
    await whole.insert(jobs, job(4, { kind: 'restore' }));
    const data = { text: '/letters', ids: [1], count: 2 };
    await whole.insert(events, { kind: 'x', at: 1, repository_id: 4, data });
    const visible = at('see');
    return {
      repositories: await visible.find(repositories),
      jobs: await visible.find(jobs),
      events: await visible.find(events),
    };
  };
  const whole = await of('restore');
  expect(whole.repositories).toMatchObject([{ source_directories: ['/letters'], custom_flags: '-x' }]);
  expect(whole.jobs).toMatchObject([{ ...failed, waiting_for: null }, full, { kind: 'restore' }]);
  const less = await of('see');
  expect(JSON.stringify(less)).not.toContain('letters');
  expect(less.repositories).toMatchObject([{ source_directories: ['***'], custom_flags: null }]);
  expect(less.jobs).toMatchObject([{ error_code: 'details_need_right', waiting_for: null }, full]);
  expect(less.jobs).toHaveLength(2);
  expect(less.events).toMatchObject([{ data: { ids: [1], count: 2 } }]);
});

test('masks nothing in transactions, whose rows may be written back', async () => {
  const { at } = await limitedTo([{ repository_id: 4, right: 'see' }]);
  const found = await at('see').transaction((session) => session.find(repositories));
  expect(found).toMatchObject([{ id: 4, source_directories: ['/letters'], custom_flags: '-x' }]);
});

test('hides with the next page when a tag that grants is removed', async () => {
  const { whole, at } = await limitedTo([{ tag: 'web', right: 'restore' }]);
  await whole.insert(jobs, job(4));
  const visible = at('see');
  const page = async () => (await visible.find(jobs, { limit: 5 })).map(({ repository_id }) => repository_id);
  expect([await page(), await page()]).toEqual([[4], [4]]);
  await whole.update(repositories, { id: 4 }, { tags: [] });
  expect(await page()).toEqual([]);
  await whole.update(repositories, { id: 4 }, { tags: ['web'] });
  expect(await page()).toEqual([4]);
});

/** Reached only through a row that has an owner, or of no repository. */
const withoutOwner = [
  ...['job_log', 'drill_result', 'restore_plan', 'restore_run', 'restore_manifest', 'found_repository'],
  ...[
    'audit_head',
    'browser_session',
    'download_ticket',
    'sign_in_challenge',
    'identity',
    'duty',
    'event_sequence',
  ],
  ...[
    'housekeeping',
    'idempotency_key',
    'instance',
    'notification_setting',
    'pin',
    'repository_making',
    'script',
  ],
  ...['setting', 'source_set', 'ssh_connection', 'ssh_key', 'storage_move', 'token', 'user'],
];

test('classifies every table as bound to repositories or not', () => {
  const unowned = allEntities.filter((each) => ownerColumns(each).length === 0).map(({ name }) => name);
  expect(unowned.sort()).toEqual(withoutOwner.sort());
  expect(ownerColumns(entity('thing', { id: col.id(), repository_id: col.integer.nullable() }))).toEqual([
    'repository_id',
  ]);
});
