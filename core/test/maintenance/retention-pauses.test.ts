import { beforeEach, describe, expect, it } from 'vitest';
import { pruneSkipReason } from '../../src/backup/backups/index.js';
import {
  acceptChanges,
  findPause,
  readPauses,
  resumeRetention,
} from '../../src/backup/maintenance/retention-pauses.js';
import { retentionPauses } from '../../src/backup/maintenance/tables.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories } from '../../src/backup/schedules/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

const archive = { id: 'a', name: 'a', start: 0, end: 1, hostname: 'h', username: 'u', comment: '' };
const stats = { originalSize: 1, compressedSize: 1, deduplicatedSize: 1, files: 1 };
const good = { archive, stats, lacking: [], collapsed: false };
const empty = { ...good, lacking: ['/mnt/disk'] };
const collapsed = { ...good, collapsed: true };

let scene: MaintenanceScene;
beforeEach(async () => {
  scene = await maintenanceScene({ run_prune_after: true, run_compact_after: true });
});

async function backUp(outcome: object | null, status: 'completed' | 'failed' = 'completed') {
  const job = await scene.backup();
  await scene.settle(job, { status, outcome: outcome && { ...outcome } });
  return job;
}
const pauses = () => scene.storage.find(retentionPauses);
const told = () => scene.events.filter(({ kind }) => kind === 'retention_paused');
const resume = (repositoryId: number | null = null) =>
  scene.storage.transaction((session) =>
    resumeRetention(session, { scheduleId: scene.schedule.id, repositoryId }),
  );

describe('retention', () => {
  it('is paused and reported once after a missing source, even after good backups', async () => {
    const job = await backUp(empty);
    const reason = 'these sources are missing from the archive or incomplete: /mnt/disk';
    expect(await pauses()).toMatchObject([
      {
        schedule_id: scene.schedule.id,
        repository_id: scene.repository.id,
        job_id: job.id,
        reason,
        since: scene.clock.now(),
      },
    ]);
    const next = await backUp(good);
    await backUp(collapsed);
    expect(await scene.pending()).toEqual([]);
    expect(await scene.maintenanceStatus(next.id)).toBe('prune_skipped');
    expect(told()).toMatchObject([
      {
        repositoryId: scene.repository.id,
        jobId: job.id,
        data: { reason, schedule_name: 'nightly', repository_name: 'home' },
      },
    ]);
    expect(await resume()).toEqual([scene.repository.id]);
    await backUp(good);
    expect(await scene.pending()).toMatchObject([{ kind: 'prune' }]);
    await backUp(empty);
    expect(told()).toHaveLength(2);
  });

  it('is paused after a failed backup that found nothing where something was', async () => {
    await backUp({ lacking: ['/home'] }, 'failed');
    expect(await pauses()).toHaveLength(1);
  });

  it('is not paused by other failures, nor for a schedule that removes nothing', async () => {
    await backUp(null, 'failed');
    scene = await maintenanceScene({ run_prune_after: false });
    await backUp(empty);
    expect(await pauses()).toEqual([]);
  });

  it('resumes for one repository on request', async () => {
    await backUp(empty);
    expect(await resume(4711)).toEqual([]);
    expect(await pauses()).toHaveLength(1);
    expect(await resume(scene.repository.id)).toEqual([scene.repository.id]);
    expect(await resume()).toEqual([]);
  });

  it('resumes with the size that the user accepted', async () => {
    const job = await backUp(collapsed);
    expect(pruneSkipReason(collapsed)).not.toBeNull();
    await resume();
    expect(await scene.storage.find(jobs, { where: { id: job.id } })).toMatchObject([
      { outcome: { collapsed: true, accepted: true } },
    ]);
  });

  it('stops a prune queued before the pause, but not a manual one', async () => {
    await backUp(good);
    const [prune] = await scene.pending();
    await scene.archive('old', 0);
    await scene.archive('new', 9);
    await backUp(empty);
    if (!prune) throw new Error('no prune');
    const paused = { status: 'failed', error: { text: expect.stringContaining('resume-retention') } };
    expect(await scene.run(prune)).toMatchObject(paused);
    expect(scene.tool.deleted).toEqual([]);
    const byHand = { withinHours: null, dryRun: false, moreThanHalf: true };
    const rules = { daily: 1 };
    const parameters = { scheduleId: scene.schedule.id, backupJobId: null, rules, byHand };
    const manual = await scene.storage.insert(jobs, { ...prune, id: undefined, parameters } as never);
    expect(await scene.run(manual)).toMatchObject({ status: 'completed' });
    expect(scene.lines).toContainEqual(expect.stringContaining('This prune was started manually.'));
  });
});

describe('a mass change', () => {
  const change = {
    ...{ before: { id: 'b', name: 'b' }, files_before: 1_000 },
    ...{ changed: 900, removed: 50, renamed: 0, folders: [] },
  };
  const mass = { ...good, massChange: change };
  const stored = async () => (await scene.storage.find(repositories))[0];
  const accept = () => acceptChanges(scene.dependencies, scene.repository.id);

  it('pauses pruning for all schedules without a second message until it is accepted', async () => {
    const job = await backUp(mass);
    expect(await stored()).toMatchObject({
      mass_change: { ...change, archive: { id: 'a', name: 'a' }, job_id: job.id },
      mass_change_at: scene.clock.now(),
    });
    expect([await pauses(), told(), await scene.pending()]).toEqual([[], [], []]);
    expect(await scene.maintenanceStatus(job.id)).toBe('prune_skipped');
    const later = await backUp(good);
    expect(await scene.maintenanceStatus(later.id)).toBe('prune_skipped');
    const reason = 'of 1000 files, 900 changed and 50 were removed';
    const pair = { schedule_id: 4711, repository_id: scene.repository.id };
    expect(await findPause(scene.storage, pair)).toMatchObject({ reason, job_id: job.id });
    const pausesOf = await readPauses(scene.storage);
    expect(pausesOf(scene.schedule, [scene.repository.id])).toMatchObject([{ reason }]);
    expect(pausesOf(scene.schedule, [])).toEqual([]);
    expect((await accept()).message).toMatch(/accepted/);
    expect((await accept()).message).toMatch(/no changes/);
    await backUp(good);
    expect(await scene.pending()).toMatchObject([{ kind: 'prune' }]);
  });

  it('is kept when another one follows', async () => {
    const { id } = await backUp(mass);
    await backUp({ ...mass, massChange: { ...change, changed: 999 } });
    expect(await stored()).toMatchObject({ mass_change: { changed: 900, job_id: id } });
  });

  it('leaves a pause for a missing source alone', async () => {
    await backUp({ ...empty, massChange: change });
    expect(await pauses()).toMatchObject([{ reason_code: 'archive_lacks_sources' }]);
    await accept();
    expect(await pauses()).toHaveLength(1);
  });

  it('accepts a smaller size', async () => {
    const job = await backUp({ ...mass, collapsed: true });
    await accept();
    expect(await scene.jobOf(job.id)).toMatchObject({ outcome: { accepted: true } });
  });

  it('is accepted when a schedule resumes', async () => {
    const link = { schedule_id: scene.schedule.id, repository_id: scene.repository.id, position: 0 };
    await scene.storage.insert(scheduleRepositories, link);
    await backUp(mass);
    expect(await resume()).toEqual([scene.repository.id]);
    expect(await stored()).toMatchObject({ mass_change: null, mass_change_at: null });
  });

  it('stops a prune queued before it', async () => {
    await backUp(good);
    const [prune] = await scene.pending();
    await scene.archive('old', 0);
    await scene.archive('new', 9);
    await backUp(mass);
    if (!prune) throw new Error('no prune');
    const paused = { status: 'failed', error: { text: expect.stringContaining('accept-changes') } };
    expect(await scene.run(prune)).toMatchObject(paused);
    expect(scene.tool.deleted).toEqual([]);
  });
});
