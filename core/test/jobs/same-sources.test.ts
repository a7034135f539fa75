import type { StorageBackend } from '@holdfast/plugin-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RepositoryRow, repositories, sourceSets } from '../../src/backup/repositories/tables.js';
import type { JobHandler } from '../../src/engine/jobs/job-contract.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import {
  type HeldHandler,
  heldHandler,
  type Instance,
  insertRepository,
  jobRow,
  memoryStorage,
  pass,
  request,
  startInstance,
} from './engine-world.js';

let storage: StorageBackend;
let started: Instance[];
let backup: HeldHandler;
let photos: RepositoryRow;
let copy: RepositoryRow;
let third: RepositoryRow;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  started = [];
  backup = heldHandler();
  const set = await storage.insert(sourceSets, {
    name: 'documents',
    source_directories: ['/home'],
    exclude_patterns: [],
    created_at: 0,
    updated_at: 0,
  });
  const member = async (name: string): Promise<RepositoryRow> => {
    const row = await insertRepository(storage, name);
    await storage.update(repositories, { id: row.id }, { source_set_id: set.id });
    return row;
  };
  photos = await member('photos');
  copy = await member('copy');
  third = await member('third');
});

afterEach(async () => {
  const stopped = Promise.all(started.map((instance) => instance.stop(0)));
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

function start(handlers: JobHandler[] = [backup], options: { maxConcurrentJobs?: number } = {}) {
  const instance = startInstance({ storage, handlers, ...options });
  started.push(instance);
  return instance;
}

const begun = () => backup.runs.map(({ context }) => context.job.id);
const waiting = async (id: number) => (await jobRow(storage, id)).waiting_for;

describe('backups of one source set', () => {
  it('run one by one and report the reason each one waits', async () => {
    const instance = start();
    const first = await request(instance, photos);
    await pass(10);
    expect(await instance.queue.waitsFor(copy.id)).toBeNull();
    const text = `backup job ${first.id} of repository photos, which reads the same sources`;
    expect(await instance.queue.waitsFor(copy.id, 'backup')).toBe(text);
    const second = await request(instance, copy);
    await pass(10);
    expect(begun()).toEqual([first.id]);
    expect(await waiting(second.id)).toBe(text);
    backup.runs[0]?.finish();
    await pass(10);
    expect(begun()).toEqual([first.id, second.id]);
    expect(await waiting(second.id)).toBeNull();
  });

  it('are not delayed by other kinds of jobs or other sources', async () => {
    const check = heldHandler('check');
    const instance = start([backup, check]);
    const other = await insertRepository(storage, 'other');
    await request(instance, photos);
    await request(instance, copy, 'check');
    await request(instance, other);
    await pass(10);
    expect(check.runs).toHaveLength(1);
    expect(backup.runs).toHaveLength(2);
  });

  it('run at the same time if the set allows it', async () => {
    await storage.update(sourceSets, {}, { allow_parallel: true });
    const instance = start();
    await request(instance, photos);
    await request(instance, copy);
    await pass(10);
    expect(backup.runs).toHaveLength(2);
  });

  it('never run at once on two instances', async () => {
    const instances = [start(), start(), start()];
    const all = [photos, copy, third];
    await Promise.all(all.map((each, n) => request(instances[n] as Instance, each)));
    for (let ended = 0; ended < 3; ended += 1) {
      await pass(15_000);
      expect(await storage.find(jobs, { where: { status: 'running' } })).toHaveLength(1);
      backup.runs[ended]?.finish();
      await pass(10);
    }
    expect(backup.runs).toHaveLength(3);
  });

  it('are not overtaken by later ones of a repository that is always busy', async () => {
    const instance = start();
    await request(instance, photos);
    await pass(10);
    const patient = await request(instance, copy);
    const later = await request(instance, photos);
    await pass(10);
    backup.runs[0]?.finish();
    await pass(10);
    expect(begun().slice(1)).toEqual([patient.id]);
    expect(await waiting(later.id)).toBe(
      `backup job ${patient.id} of repository copy, which reads the same sources`,
    );
    backup.runs[1]?.finish();
    await pass(10);
    expect(begun().slice(2)).toEqual([later.id]);
  });

  it('do not wait for an earlier one that waits for another reason', async () => {
    const check = heldHandler('check');
    const instance = start([backup, check]);
    await request(instance, copy, 'check');
    await pass(10);
    const blocked = await request(instance, copy);
    const free = await request(instance, photos);
    await pass(10);
    expect(begun()).toEqual([free.id]);
    check.runs[0]?.finish();
    await pass(10);
    expect(begun()).toEqual([free.id]);
    expect(await waiting(blocked.id)).toContain('which reads the same sources');
    backup.runs[0]?.finish();
    await pass(10);
    expect(begun()).toEqual([free.id, blocked.id]);
  });

  it('wait for one whose instance died until it is recovered', async () => {
    const instance = start();
    const lost = await instance.queue.insert({
      kind: 'backup',
      repository: photos,
      parameters: {},
      requestedBy: 'alice',
    });
    const gone = { status: 'running', owner: 'gone', lease_until: Date.now(), started_at: 0 } as const;
    await storage.update(jobs, { id: lost.id }, gone);
    const next = await request(instance, copy);
    await pass(1_000);
    expect(begun()).toEqual([]);
    await pass(60_000);
    expect(backup.recoveries).toHaveLength(1);
    expect(begun()).toEqual([]);
    backup.recoveries[0]?.finish();
    await pass(10);
    expect(begun()).toEqual([next.id]);
  });

  it('runs all with a single job slot', async () => {
    const instance = start([backup], { maxConcurrentJobs: 1 });
    const ids = [];
    for (const each of [copy, photos, third, copy]) ids.push((await request(instance, each)).id);
    for (let n = 0; n < ids.length; n += 1) {
      await pass(10_000);
      backup.runs[n]?.finish();
    }
    await pass(10);
    expect(begun()).toEqual(ids);
  });
});
