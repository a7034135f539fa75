import { describe, expect, it } from 'vitest';
import { newestRetained } from '../../src/app/housekeeping/remove-jobs.js';
import { hookJournals } from '../../src/backup/hooks/tables.js';
import { formatArchiveComment } from '../../src/backup/repositories/archive-name.rules.js';
import { archives } from '../../src/backup/repositories/tables.js';
import { restoreManifests, restoreRuns } from '../../src/backup/restore/tables.js';
import { slots } from '../../src/backup/schedules/tables.js';
import { terminalStatuses } from '../../src/engine/jobs/job.rules.js';
import { rebuildFigures } from '../../src/engine/jobs/job-figures.js';
import { jobLogs, jobs } from '../../src/engine/jobs/tables.js';
import { day, makeWorld } from './world.js';

/** As many young ones of a kind as stay however old they are. */
async function fill(
  { addJob }: ReturnType<typeof makeWorld>,
  kind: 'check' | 'backup' | 'restore' = 'check',
) {
  for (let n = 0; n < newestRetained; n++) await addJob(1, { kind });
}

describe('jobs that ended', () => {
  it('go when they are too old, with their logs and manifests; they stay counted', async () => {
    const world = makeWorld();
    const { storage, addJob, addLog, round, figures } = world;
    for (let n = 0; n < 120; n++) await addLog(await addJob(366, { status: 'failed', log_lines: 1 }));
    const restored = await addJob(400, { kind: 'restore' });
    await storage.insert(restoreManifests, { job_id: restored.id, position: 0, entries: [] });
    const young = await addJob(364);
    await fill(world);
    await fill(world, 'restore');
    const before = (await figures()).map(({ figures: { counts } }) => counts);
    await round();
    expect((await storage.find(jobs)).length).toBe(2 * newestRetained + 1);
    expect(await storage.find(jobs, { where: { id: young.id } })).toHaveLength(1);
    expect(await storage.find(jobLogs)).toEqual([]);
    expect(await storage.find(restoreManifests)).toEqual([]);
    expect((await figures()).map(({ figures: { counts } }) => counts)).toEqual(before);
  });

  it('keep the same recalculated figures after some are removed, over random data', async () => {
    const { storage, addJob, round, figures } = makeWorld();
    const any = <T>(items: readonly T[], n: number): T => items[(n * 7919) % items.length] as T;
    for (let n = 0; n < 900; n++) {
      const status = any(terminalStatuses, n * 3 + 1);
      await addJob(900 - n, { status, repository_id: any([1, 2, null], n * 5) });
    }
    const before = (await figures()).map((row) => row.figures);
    await round();
    expect((await storage.find(jobs)).length).toBeLessThan(400);
    await storage.transaction(rebuildFigures);
    expect((await figures()).map((row) => row.figures)).toEqual(before);
    await round({ jobDays: 300 });
    await storage.transaction(rebuildFigures);
    expect((await figures()).map((row) => row.figures)).toEqual(before);
  });

  it('go when they are too many, the oldest first', async () => {
    const { addJob, round, storage } = makeWorld();
    for (let n = 0; n < 300; n++) await addJob(300 - n);
    await round({ jobs: 250 });
    const rows = await storage.find(jobs, { order: [['completed_at', 'asc']] });
    expect(rows).toHaveLength(250);
    expect(rows[0]?.id).toBe(51);
  });

  it('stay while they are among the newest of their kind', async () => {
    const { addJob, round, idsOfJobs } = makeWorld();
    for (let n = 0; n < newestRetained; n++) await addJob(2_000 - n);
    const rare = await addJob(3_000, { kind: 'compact' });
    await round({ jobs: 10 });
    expect(await idsOfJobs()).toHaveLength(newestRetained + 1);
    expect(await idsOfJobs()).toContain(rare.id);
  });
});

describe('old rows that are still needed', () => {
  it('keeps pending and running jobs', async () => {
    const world = makeWorld();
    const waits = await world.addJob(800, { status: 'pending', completed_at: null });
    const runs = await world.addJob(800, { status: 'running', completed_at: null });
    await fill(world);
    await world.round();
    expect(await world.idsOfJobs()).toEqual(expect.arrayContaining([waits.id, runs.id]));
  });

  it('keeps only the backup whose archive exists', async () => {
    const world = makeWorld();
    const backup = () => world.addJob(800, { kind: 'backup' });
    const [kept, former, gone] = [await backup(), await backup(), await backup()];
    const archive = (name: string) => ({
      repository_id: 1,
      tool_id: name,
      name,
      start: 1,
      hostname: 'h',
      username: 'u',
      seen_at: 1,
    });
    await world.storage.insert(archives, { ...archive('a'), comment: '', job_id: kept.id });
    const comment = formatArchiveComment({ installation: 'i', schedule: null, job: former.id });
    await world.storage.insert(archives, { ...archive('not recorded yet'), comment });
    await fill(world, 'backup');
    await world.round();
    const left = await world.idsOfJobs();
    expect(left).toEqual(expect.arrayContaining([kept.id, former.id]));
    expect(left).not.toContain(gone.id);
  });

  it('keeps jobs of open runs, of owed hooks and of unfinished restores', async () => {
    const world = makeWorld();
    const { storage } = world;
    const slot = await storage.insert(slots, {
      schedule_id: 1,
      planned_at: 1,
      trigger: 'schedule',
      outcome: 'running',
      job_ids: [],
    });
    const ofRun = await world.addJob(800, { slot_id: slot.id });
    const ofHooks = await world.addJob(800);
    const restored = await world.addJob(800);
    const free = await world.addJob(800);
    await storage.insert(hookJournals, {
      uid: 'u',
      scope: 'job',
      job_id: ofHooks.id,
      job_ids: [],
      plan: '',
      stage: 'after',
      failures: [],
      created_at: 1,
    });
    await storage.insert(restoreRuns, { job_id: restored.id, staging: '/s', phase: 'moving' });
    await fill(world);
    await world.round();
    const left = await world.idsOfJobs();
    expect(left).toEqual(expect.arrayContaining([ofRun.id, ofHooks.id, restored.id]));
    expect(left).not.toContain(free.id);
  });
});

describe('the logs of jobs', () => {
  it('are removed before their jobs, but never for a running job', async () => {
    const { storage, addJob, addLog, round } = makeWorld();
    const add = async (daysOld: number, status: 'failed' | 'running') => {
      const ended = status === 'running' ? { completed_at: null } : {};
      const job = await addJob(daysOld, { status, log_lines: 1, ...ended });
      await addLog(job);
      return job.id;
    };
    for (let n = 0; n < 50; n++) await add(91, 'failed');
    const left = [await add(89, 'failed'), await add(200, 'running')];
    await round();
    expect((await storage.find(jobLogs)).map(({ job_id }) => job_id)).toEqual(left);
    const shown = await storage.find(jobs, { where: { log_lines: { gt: 0 } } });
    expect(shown.map(({ id }) => id)).toEqual(left);
  });

  it('are found by the next round without a scan of the past', async () => {
    const { storage, clock, addJob, addLog, round } = makeWorld();
    await round();
    const job = await addJob(60, { log_lines: 1 });
    await addLog(job);
    await round();
    expect(await storage.find(jobLogs)).toHaveLength(1);
    clock.advance(31 * day);
    await round();
    expect(await storage.find(jobLogs)).toEqual([]);
  });
});
