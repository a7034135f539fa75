import { jobKind, jobStatus } from '@holdfast/contracts';
import { describe, expect, it } from 'vitest';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { newestJobs } from '../../src/engine/jobs/job-list.js';
import { type JobFilter, lookupsOf } from '../../src/engine/jobs/job-list.rules.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { memoryStorage } from './engine-world.js';

describe('the lookups of a filter', () => {
  const indexes = jobs.indexes.map((columns) => columns.join());

  const filters: JobFilter[] = [
    undefined,
    ['backup' as const],
    ['prune' as const, 'compact' as const],
  ].flatMap((kinds) =>
    [undefined, ['failed' as const], ['pending' as const, 'running' as const]].flatMap((statuses) =>
      [undefined, 3].flatMap((repositoryId) =>
        [undefined, 4].map((scheduleId) => ({ kinds, statuses, repositoryId, scheduleId })),
      ),
    ),
  );

  it.each(filters)('are each read along one index: %j', (filter) => {
    for (const lookup of lookupsOf(filter)) {
      const columns = [...Object.keys(lookup), 'id'].sort().join();
      const served = indexes.filter((index) => index.endsWith(',id') || index === 'id');
      expect(['id', ...served.map((index) => index.split(',').sort().join())]).toContain(columns);
      // Only equalities: a range before the id would make the database sort.
      for (const value of Object.values(lookup)) expect(typeof value).not.toBe('object');
    }
  });

  it('are merged into one if an index covers them all', () => {
    expect(lookupsOf({})).toEqual([{}]);
    expect(lookupsOf({ kinds: jobKind.options, statuses: jobStatus.options })).toEqual([{}]);
    expect(lookupsOf({ repositoryId: 3 })).toEqual([{ repository_id: 3 }]);
    expect(lookupsOf({ kinds: ['check', 'check'] })).toEqual([{ kind: 'check' }]);
    expect(lookupsOf({ kinds: ['check'], statuses: ['failed'] })).toEqual([
      { kind: 'check', status: 'failed' },
    ]);
  });
});

const kinds = jobKind.options;
const statuses = jobStatus.options;

/** Jobs in which every value meets every other one, and some are rare. */
async function manyJobs() {
  const storage = memoryStorage();
  for (let n = 0; n < 400; n += 1) {
    // Mixed at first, then many of the same in a row.
    const m = n < 250 ? n : Math.floor(n / 40);
    await storage.insert(jobs, {
      kind: kinds[m % (m % 7 === 0 ? 6 : 2)] ?? 'backup',
      status: statuses[(m * 5) % (m % 11 === 0 ? 6 : 3)] ?? 'failed',
      repository_id: n % 13 === 0 ? null : (n % 3) + 1,
      repository_path: '/r',
      repository_name: 'r',
      schedule_id: n % 4 === 0 ? null : (n % 2) + 1,
      requested_by: 'alice',
      requested_at: n,
      parameters: {},
      progress: noProgress,
    });
  }
  return { storage, all: (await storage.find(jobs)).toReversed() };
}

const meets =
  ({ kinds: ofKinds, statuses: ofStatuses, repositoryId, scheduleId }: JobFilter) =>
  (job: JobRow) =>
    (ofKinds?.includes(job.kind) ?? true) &&
    (ofStatuses?.includes(job.status) ?? true) &&
    (repositoryId === undefined || job.repository_id === repositoryId) &&
    (scheduleId === undefined || job.schedule_id === scheduleId);

describe('the newest jobs', () => {
  it('match a full scan for any filter, page by page', async () => {
    const { storage, all } = await manyJobs();
    const subsets = <T>(some: readonly T[]) => [undefined, [some[0] as T], some.slice(1, 4), [...some]];
    let compared = 0;
    for (const ofKinds of subsets(kinds)) {
      for (const ofStatuses of subsets(statuses)) {
        for (const repositoryId of [undefined, 2, 9]) {
          for (const scheduleId of [undefined, 1]) {
            const filter = { kinds: ofKinds, statuses: ofStatuses, repositoryId, scheduleId };
            const wanted = all.filter(meets(filter)).map(({ id }) => id);
            const read: number[] = [];
            for (let before: number | undefined; ; ) {
              const page = await newestJobs(storage, filter, { before, limit: 17 });
              read.push(...page.map(({ id }) => id));
              before = page.at(-1)?.id;
              if (page.length < 17) break;
            }
            expect(read).toEqual(wanted);
            compared += wanted.length;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });

  it('read little more than the page with any number of lookups', async () => {
    const { storage } = await manyJobs();
    const view = faultyStorage(storage);
    let rows = 0;
    const counting = {
      ...view,
      find: (async (...query: Parameters<typeof storage.find>) => {
        const found = await storage.find(...query);
        rows += found.length;
        return found;
      }) as typeof storage.find,
    };
    await newestJobs(counting, { statuses: statuses.slice(2, 6) }, { limit: 20 });
    // Of 24 lookups, each of which could return twenty.
    expect(rows).toBeLessThan(100);
  });

  it('show a job once in its later state if it changes during the read', async () => {
    const { storage } = await manyJobs();
    const [moving] = await newestJobs(storage, { statuses: ['pending'], kinds: ['backup'] }, { limit: 1 });
    const moves = {
      ...storage,
      find: (async (...query: Parameters<typeof storage.find>) => {
        const found = await storage.find(...query);
        await storage.update(jobs, { id: moving?.id ?? 0, status: 'pending' }, { status: 'running' });
        return found;
      }) as typeof storage.find,
    };
    const page = await newestJobs(moves, { statuses: ['pending', 'running'] }, { limit: 200 });
    expect(page.filter(({ id }) => id === moving?.id)).toMatchObject([{ status: 'running' }]);
  });
});
