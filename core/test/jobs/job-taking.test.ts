import type { StorageBackend } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RepositoryRow } from '../../src/backup/repositories/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { settleJob } from '../../src/engine/jobs/job-settlement.js';
import { returnJob, takeOverJob, takePendingJob } from '../../src/engine/jobs/job-taking.js';
import { leaveLane, openLane, writeHolders } from '../../src/engine/jobs/lanes.js';
import { lackOfRoom } from '../../src/engine/jobs/room.fs.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import type { Message } from '../../src/foundation/kernel/index.js';
import { said } from '../fakes/said.js';
import {
  clock,
  engineCore,
  heldHandler,
  holdersOf,
  insertRepository,
  jobRow,
  memoryStorage,
} from './engine-world.js';

let storage: StorageBackend;
let repository: RepositoryRow;

beforeEach(async () => {
  storage = memoryStorage();
  repository = await insertRepository(storage, 'photos');
});

const core = () => engineCore(storage, [heldHandler(), heldHandler('restore', 'shared')]);

const pendingJob = (kind: JobRow['kind'] = 'backup') =>
  storage.insert(jobs, {
    kind,
    status: 'pending',
    repository_id: repository.id,
    repository_path: repository.path,
    repository_name: repository.name,
    requested_by: 'alice',
    requested_at: 0,
    parameters: {},
    progress: noProgress,
  });

describe('taking a pending job', () => {
  it('is refused while its handler waits for something, and blocks later jobs', async () => {
    let waitsFor: Message | null = said('the end of the world');
    const handlers = [{ ...heldHandler(), waitsFor: async () => waitsFor }];
    const take = (id: number) => takePendingJob(engineCore(storage, handlers), id);
    const [first, second] = [await pendingJob(), await pendingJob()];
    expect(await take(first.id)).toEqual({ result: 'waits', what: said('the end of the world') });
    expect(await take(second.id)).toMatchObject({
      result: 'waits',
      what: { text: expect.stringContaining('backup job') },
    });
    expect(await holdersOf(storage, repository.id)).toEqual([]);
    waitsFor = null;
    expect(await take(first.id)).toMatchObject({ result: 'taken' });
  });

  it('waits while the data folder lacks room', async () => {
    let room: Message | null = lackOfRoom({ free: 3, total: 100 });
    const { id } = await pendingJob();
    const take = () => takePendingJob({ ...core(), lacksRoom: async () => room }, id);
    expect(await take()).toMatchObject({
      result: 'waits',
      what: { code: 'waiting_for_room', text: expect.stringContaining('data folder') },
    });
    room = lackOfRoom({ free: 5, total: 100 });
    expect(await take()).toMatchObject({ result: 'taken' });
  });

  it('is refused to every instance while an earlier job waits', async () => {
    const [first, second, reader] = [await pendingJob(), await pendingJob(), await pendingJob('restore')];
    expect(await takePendingJob(core(), second.id)).toEqual({
      result: 'waits',
      what: {
        code: 'waiting_for_job',
        params: { kind: 'backup', job: first.id, repository: 'photos' },
        text: `backup job ${first.id} of repository photos`,
      },
    });
    expect(await takePendingJob(core(), reader.id)).toMatchObject({ result: 'waits' });
    expect(await takePendingJob(core(), first.id)).toMatchObject({ result: 'taken' });
  });

  it('is refused to an instance that does not do such jobs', async () => {
    const { id } = await pendingJob('check');
    expect(await takePendingJob(core(), id)).toMatchObject({
      result: 'waits',
      what: { text: 'an instance of Holdfast that supports check jobs' },
    });
  });

  it('succeeds for one of many', async () => {
    const { id } = await pendingJob();
    const takings = await Promise.all(Array.from({ length: 10 }, () => takePendingJob(core(), id)));
    expect(takings.map(({ result }) => result).sort()).toEqual([...Array(9).fill('over'), 'taken']);
    expect((await jobRow(storage, id)).fence).toBe(1);
  });

  it('can be taken back before it begins', async () => {
    const { id } = await pendingJob();
    const taking = await takePendingJob(core(), id);
    if (taking.result !== 'taken') throw new Error('not taken');
    await returnJob(core(), taking.taken);
    expect(await jobRow(storage, id)).toMatchObject({
      status: 'pending',
      owner: null,
      started_at: null,
      fence: 1,
    });
    expect(await holdersOf(storage, repository.id)).toEqual([]);
    expect(await takePendingJob(core(), id)).toMatchObject({ result: 'taken', taken: { job: { fence: 2 } } });
  });
});

describe('taking a running job over', () => {
  async function abandoned(expiredFor: number): Promise<JobRow> {
    const { id } = await pendingJob();
    await takePendingJob(core(), id);
    await storage.update(jobs, { id }, { lease_until: clock.now() - expiredFor });
    return jobRow(storage, id);
  }

  it('succeeds for one of many', async () => {
    const job = await abandoned(5_500);
    const taken = await Promise.all([1, 2, 3].map(() => takeOverJob(core(), job)));
    expect(taken.filter((each) => each !== null)).toMatchObject([{ job: { fence: 2, owner: 'instance-x' } }]);
  });

  it('is refused when its instance renewed the lease', async () => {
    const job = await abandoned(60_000);
    await storage.update(jobs, { id: job.id }, { lease_until: clock.now() + 20_000 });
    expect(await takeOverJob(core(), job)).toBeNull();
  });

  it('leaves no way to end the job with the old fence', async () => {
    const job = await abandoned(60_000);
    await takeOverJob(core(), job);
    const before = await jobRow(storage, job.id);
    const end = { status: 'completed', error: null, outcome: null } as const;
    expect(await settleJob(core(), { job, from: 'running', end })).toBeNull();
    expect(await jobRow(storage, job.id)).toEqual(before);
    expect(await holdersOf(storage, repository.id)).toEqual([`job:${job.id}`]);
  });
});

describe('the holders of a lane', () => {
  const holder = { id: 'read:1', mode: 'shared', what: 'a reader', until: Number.MAX_SAFE_INTEGER } as const;

  it('are not written over the change of another one', async () => {
    const seen = await openLane(storage, repository.id);
    await writeHolders(storage, seen, [holder]);
    await expect(writeHolders(storage, seen, [])).rejects.toMatchObject({ kind: 'conflict' });
    expect(await holdersOf(storage, repository.id)).toEqual(['read:1']);
  });

  it('lose only the holder that leaves', async () => {
    await writeHolders(storage, await openLane(storage, repository.id), [
      holder,
      { ...holder, id: 'read:2' },
    ]);
    await leaveLane(storage, repository.id, 'read:1');
    await leaveLane(storage, repository.id, 'read:1');
    await leaveLane(storage, 77, 'read:1');
    expect(await holdersOf(storage, repository.id)).toEqual(['read:2']);
  });
});
