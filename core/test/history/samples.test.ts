import { expect, it } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { getRepositoryHistory } from '../../src/insight/history/repository-history.js';
import { withSamples } from '../../src/insight/history/sampled-jobs.js';
import { samples } from '../../src/insight/history/tables.js';
import { thinSamples } from '../../src/insight/history/thin-samples.js';
import { maintenanceScene } from '../maintenance/maintenance-scene.js';

const day = 86_400_000;
const stats = { originalSize: 1_000, compressedSize: 600, deduplicatedSize: 40, files: 3 };

async function scene() {
  const made = await maintenanceScene();
  const { storage, clock, dependencies, repository, schedule } = made;
  const fresh = await maintenanceSceneJobs(made);
  const history = getRepositoryHistory.bind(null, dependencies);
  const rows = () => storage.find(samples);
  const page = { limit: 100, offset: 0 };
  return { ...made, ...fresh, storage, clock, repository, schedule, history, rows, page };
}

const noted = async () => undefined as never;

/** Jobs that ran for three seconds. */
async function maintenanceSceneJobs(made: Awaited<ReturnType<typeof maintenanceScene>>) {
  const { clock, backup, begin, handlerOf, dependencies, repository, storage } = made;
  const end = async (job: Awaited<ReturnType<typeof backup>>, settled: Parameters<typeof made.settle>[1]) => {
    const whole = { status: 'completed' as const, error: null, outcome: null, ...settled };
    const row = { ...job, started_at: clock.now() - 3_000, completed_at: clock.now(), status: whole.status };
    await storage.transaction(async (session) => {
      await handlerOf(job).settle(row, whole, repository).commit?.(session, noted);
    });
  };
  const queue = (kind: 'prune' | 'compact', parameters: object) =>
    dependencies.jobs.insert({ kind, repository, parameters: { ...parameters }, requestedBy: 'alice' });
  return { end, queue, begin };
}

const archiveOf = (name: string, start: number) => ({
  id: `id-of-${name}`,
  name,
  start,
  end: start + 2_000,
  hostname: 'h',
  username: 'u',
  comment: '',
});

it('records a sample at the end of a backup, a prune and a compact', async () => {
  const { clock, backup, end, queue, rows, repository, history, page, storage } = await scene();
  const archive = archiveOf('a', clock.now() - 3_000);
  const made = await backup();
  const space = { free: 300, total: 1_000 };
  await end(made, { outcome: { archive, stats, repositoryStoredSize: 640, sources: [], space } });
  clock.advance(60_000);
  const rules = { rules: {}, scheduleId: null, backupJobId: null };
  const prune = await queue('prune', rules);
  await end(prune, { outcome: { plan: [], removed: ['a'], repositoryStoredSize: 10, space: null } });
  clock.advance(60_000);
  await end(await queue('compact', { scheduleId: null, backupJobId: null, pruneFailed: false }), {});
  expect(await rows()).toMatchObject([
    { kind: 'backup', size: 640, free: 300, archive_count: 1, original_size: 1_000, added_size: 40 },
    { kind: 'prune', size: 10, archive_count: 0, original_size: null, added_size: null, took: 3_000 },
    { kind: 'compact', size: 10, archive_count: 0 },
  ]);
  const [row] = await storage.find(repositories, { where: { id: repository.id } });
  expect(row).toMatchObject({ place_free: 300, place_total: 1_000, place_at: clock.now() - 120_000 });
  const told = await history(repository.id, page);
  expect(told.samples[0]).toMatchObject({ job_id: made.id, size_bytes: 640, free_bytes: 300, seconds: 3 });
  expect(told).toMatchObject({ archives: [], archive_count: 0, truncated: false });
});

it('reads the free space after the work, outside the transaction', async () => {
  const { begin, handlerOf, queue, tool } = await scene();
  const space = { free: 300, total: 1_000 };
  const ask = async (files: { space(): Promise<object | null> }) => {
    const job = await queue('compact', { scheduleId: null, backupJobId: null, pruneFailed: false });
    return withSamples({ files: files as never }, handlerOf(job)).run(await begin(job));
  };
  expect(await ask({ space: async () => space })).toMatchObject({ status: 'completed', outcome: { space } });
  const away = await ask({ space: () => Promise.reject(new Error('stale file handle')) });
  expect(away).toMatchObject({ status: 'completed', outcome: { space: null } });
  tool.failure = new Error('no');
  await expect(ask({ space: async () => space })).rejects.toThrow('no');
});

it('records no sample for failed jobs, jobs not started and dry runs', async () => {
  const { backup, end, queue, rows } = await scene();
  await end(await backup(), { status: 'failed' });
  await end(await backup(), { status: 'cancelled' });
  const byHand = { withinHours: null, dryRun: true, moreThanHalf: false };
  const dry = await queue('prune', { rules: {}, scheduleId: null, backupJobId: null, byHand });
  await end(dry, { outcome: { plan: [], removed: [], repositoryStoredSize: null } });
  expect(await rows()).toEqual([]);
});

it('uses the free space of the connection from the last day on another host', async () => {
  const { storage, clock, repository, backup, end, rows } = await scene();
  const usage = { total: 1_000, used: 900, available: 50, percentUsed: 90, checkedAt: clock.now() - day };
  const { id } = await storage.insert(sshConnections, {
    host: 'h',
    port: 22,
    username: 'u',
    status: 'connected',
    storage: usage,
    created_at: 0,
    updated_at: 0,
  });
  await storage.update(repositories, { id: repository.id }, { path: 'ssh://u@h/r', connection_id: id });
  await end(await backup(), {});
  clock.advance(1);
  await end(await backup(), {});
  expect((await rows()).map(({ free }) => free)).toEqual([50, null]);
});

it('limits and pages the samples, and rejects invalid queries', async () => {
  const { storage, clock, repository, history, page } = await scene();
  const to = clock.now();
  const add = (at: number, job_id: number) =>
    storage.insert(samples, {
      repository_id: repository.id,
      at,
      job_id,
      kind: 'backup',
      archive_count: 0,
      took: 1,
    });
  for (let n = 0; n < 5; n++) await add(to - (5 - n) * day, n);
  await add(to - 31 * day, 9);
  await add(to, 10);
  const idsOf = async (query: object) => {
    const { samples: found, truncated } = await history(repository.id, { ...page, ...query });
    return [found.map(({ job_id }) => job_id), truncated];
  };
  expect(await idsOf({})).toEqual([[0, 1, 2, 3, 4], false]);
  expect(await idsOf({ limit: 2 })).toEqual([[0, 1], true]);
  expect(await idsOf({ limit: 2, offset: 4 })).toEqual([[4], false]);
  const from = new Date(to - 3 * day).toISOString();
  expect(await idsOf({ from })).toEqual([[2, 3, 4], false]);
  expect(await idsOf({ to: from })).toEqual([[9, 0, 1], false]);
  await expect(history(repository.id, { ...page, from, to: from })).rejects.toMatchObject({
    reason: { code: 'history_from_after_to' },
  });
  await expect(history(repository.id, { ...page, from: '2001-01-01T00:00:00Z' })).rejects.toThrow(
    /3660 days/,
  );
  await expect(history(99, page)).rejects.toMatchObject({ code: 'not_found' });
});

it('keeps samples of 90 days, then one a day for five years', async () => {
  const { storage, clock, repository } = await scene();
  clock.set(Date.UTC(2032, 0, 1, 12));
  const add = (daysAgo: number, hours: number) =>
    storage.insert(samples, {
      repository_id: repository.id,
      at: clock.now() - daysAgo * day + hours * 3_600_000,
      job_id: daysAgo * 100 + hours,
      kind: 'backup',
      archive_count: 0,
      took: 1,
    });
  for (const daysAgo of [2_000, 1_000, 100, 99, 91, 90, 89, 1])
    for (const hours of [0, 1, 11]) await add(daysAgo, hours);
  const sweep = { storage, clock, going: () => true };
  const place = await thinSamples({ ...sweep, place: null });
  const left = async () => (await storage.find(samples)).map(({ job_id }) => job_id);
  const whole = [90, 89, 1].flatMap((daysAgo) => [0, 1, 11].map((hours) => daysAgo * 100 + hours));
  expect(await left()).toEqual([100_011, 10_011, 9_911, 9_111, ...whole]);
  // The next day goes on from there.
  clock.advance(day);
  expect(await thinSamples({ ...sweep, place })).toBe(place + day);
  expect(await left()).toEqual([100_011, 10_011, 9_911, 9_111, 9_011, ...whole.slice(3)]);
  expect(await thinSamples({ ...sweep, going: () => false, place: null })).toBe(0);
});
