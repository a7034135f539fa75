import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, it } from 'vitest';
import { startCheck, startRepair } from '../../src/backup/maintenance/check.js';
import { checkJobView } from '../../src/backup/maintenance/maintenance-jobs.js';
import { startSigning } from '../../src/backup/maintenance/sign-archives.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };
let scene: MaintenanceScene;
beforeEach(async () => {
  scene = await maintenanceScene();
});

async function checkJob(input: { max_duration?: number; verify_data?: boolean } = {}): Promise<JobRow> {
  const { job_id } = await startCheck(scene.dependencies, caller, scene.repository.id, input);
  return scene.jobOf(job_id);
}
const repairJob = async () =>
  scene.jobOf(
    (
      await startRepair(scene.dependencies, caller, scene.repository.id, {
        confirm_name: 'home',
        delete_archives: [],
      })
    ).job_id,
  );
const planned = async (parameters: object = {}) => {
  const job = await checkJob();
  const all = { ...job.parameters, plannedAt: 4711, ...parameters };
  await scene.storage.update(jobs, { id: job.id }, { parameters: all });
  return scene.jobOf(job.id);
};
const lastCheck = async () => (await scene.storage.find(repositories))[0]?.last_check;
const damaged = new DriverError('damaged', 'Data integrity error.');

describe('a check', () => {
  it('is full by default, moves last_check and reports an event', async () => {
    expect(await scene.run(await checkJob())).toMatchObject({
      status: 'completed',
      error: null,
      outcome: { damaged: false },
      events: ['check_success'],
    });
    expect(scene.tool.checked).toEqual({ verifyData: false, repair: false });
    expect(await lastCheck()).toBe(scene.clock.now());
    expect(scene.events[0]?.data).toMatchObject({
      repository_name: 'home',
      repository_path: '/backups/home',
      check_type: 'manual',
      status: 'completed',
      partial: false,
      error_message: null,
    });
  });

  it('is partial with a time limit and leaves last_check', async () => {
    expect(await scene.run(await checkJob({ max_duration: 90 }))).toMatchObject({
      events: ['check_success'],
    });
    expect(scene.tool.checked).toMatchObject({ maxSeconds: 90 });
    expect(await lastCheck()).toBeNull();
    expect(scene.events[0]?.data).toMatchObject({ partial: true });
  });

  it('fails on damage and leaves last_check', async () => {
    scene.tool.failure = damaged;
    expect(await scene.run(await checkJob({ verify_data: true }))).toMatchObject({
      status: 'failed',
      outcome: { damaged: true },
      events: ['check_failure'],
      error: { text: expect.stringContaining('Data integrity error.') },
    });
    expect(await lastCheck()).toBeNull();
  });

  it('reports no damage if it cannot run', async () => {
    scene.tool.failure = new DriverError('connection', 'no route');
    await expect(scene.run(await checkJob())).rejects.toThrow('no route');
  });

  it('reports no event when cancelled', async () => {
    expect(await scene.settle(await checkJob(), { status: 'cancelled' })).toEqual([]);
  });

  it.each([
    [{}, [0, 50, 50, 75]],
    [{ max_duration: 9 }, [0, 100, 0, 50]],
    [{ verify_data: true }, [0, 33, 33, 50]],
  ])('shows the phases of the tool as one percentage (%j)', async (input, percents) => {
    scene.tool.told = [
      { phase: 'one', current: 0, total: 10, message: 'Checking segments' },
      { phase: 'one', current: 10, total: 10 },
      { phase: 'two', message: 'Analyzing' },
      { phase: 'two', current: 0, total: 2 },
      { phase: 'two', current: 1, total: 2 },
    ];
    if ('max_duration' in input) scene.tool.told = scene.tool.told.map((told) => ({ ...told, phase: 'one' }));
    await scene.run(await checkJob(input));
    const told = scene.progress.map(({ percent }) => percent).filter((percent) => percent !== undefined);
    expect(told.map(Math.floor)).toEqual(percents);
    expect(scene.progress[0]?.message).toBe('Checking segments (0/10)');
  });

  it('is one at a time', async () => {
    const { id } = await checkJob();
    await expect(checkJob()).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(`${id}`),
    });
  });
});

describe('a planned check', () => {
  const interrupted = { status: 'failed' as const, outcome: { interrupted: true } };

  it('is repeated once after a shutdown and reports only the last failure', async () => {
    const job = await planned();
    await scene.begin(job);
    expect(await scene.settle(job, interrupted)).toEqual([]);
    const [again] = await scene.pending();
    expect(again).toMatchObject({ kind: 'check', parameters: { plannedAt: 4711, rerunOf: job.id } });
    if (!again) throw new Error('nothing was queued');
    expect(await scene.settle(again, interrupted)).toEqual(['check_failure']);
    expect(await scene.pending()).toEqual([]);
  });

  it('is not repeated if started manually', async () => {
    expect(await scene.settle(await checkJob(), interrupted)).toEqual(['check_failure']);
    expect(await scene.pending()).toEqual([]);
  });

  it('records that it was scheduled', async () => {
    await scene.run(await planned());
    expect(scene.events[0]?.data).toMatchObject({ check_type: 'scheduled' });
  });
});

describe('a repair', () => {
  it('wants the name of the repository and a repository that is written to', async () => {
    const start = (confirm_name: string) =>
      startRepair(scene.dependencies, caller, scene.repository.id, { confirm_name, delete_archives: [] });
    await expect(start('Home')).rejects.toMatchObject({ code: 'invalid' });
    await scene.storage.update(repositories, {}, { mode: 'observe' });
    await expect(start('home')).rejects.toMatchObject({ detail: expect.stringContaining('observe') });
  });

  it('warns after repairs, does not count as passed, and refreshes the archive list', async () => {
    await scene.storage.update(repositories, {}, { inventory_at: 1 });
    scene.tool.warnings = ['A chunk is missing.'];
    expect(await scene.run(await repairJob())).toMatchObject({
      status: 'completed_with_warnings',
      outcome: { damaged: true },
      events: [],
    });
    expect(scene.tool.checked).toMatchObject({ repair: true });
    expect(await scene.storage.find(repositories)).toMatchObject([{ last_check: null, inventory_at: null }]);
  });

  it('stops before it would delete an archive, and names it', async () => {
    scene.tool.failure = new DriverError('damaged', 'x', { archives: ['a'], wouldDelete: ['a'] });
    const job = await repairJob();
    expect(await scene.run(job)).toMatchObject({
      status: 'failed',
      outcome: { damaged: true, wouldDelete: ['a'] },
      error: { code: 'repair_would_delete', params: { archives: ['a'] } },
    });
    const outcome = { wouldDelete: ['a'] };
    expect(checkJobView({ ...job, outcome })).toMatchObject({ check_type: 'repair', would_delete: ['a'] });
  });

  it('reports no damage if archives are not signed', async () => {
    scene.tool.failure = new DriverError('archive_unsigned', 'Not signed: a.', { archives: ['a'] });
    await expect(scene.run(await repairJob())).rejects.toMatchObject({ kind: 'archive_unsigned' });
  });

  it('names the archives that stay damaged', async () => {
    scene.tool.damagedArchives = ['a', 'b'];
    const { status, error } = await scene.run(await repairJob());
    expect([status, error?.code]).toEqual(['completed_with_warnings', 'several_sentences']);
    expect(error?.text).toMatch(
      /^The repository can be used again, but some archives are still damaged\. Files of a, b/,
    );
    expect(error?.text).not.toContain('repaired');
  });

  it('asks to be repeated after a shutdown', async () => {
    expect(await scene.run(await repairJob(), 'recover')).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('repair again') },
      events: ['check_failure'],
    });
  });
});

describe('signing archives', () => {
  it('keeps damage and last check unchanged', async () => {
    await scene.storage.update(repositories, {}, { inventory_at: 1 });
    const { job_id } = await startSigning(scene.dependencies, caller, scene.repository.id);
    const job = await scene.jobOf(job_id);
    expect(await scene.run(job)).toMatchObject({ status: 'completed', error: null, events: [] });
    expect(await scene.storage.find(repositories)).toMatchObject([{ last_check: null, inventory_at: null }]);
    expect(checkJobView(job).signs).toBe(true);
  });

  const unsigned = async () =>
    (await scene.storage.find(archives, { where: { unsigned: true } })).map(({ name }) => name);
  const signingJob = async () => {
    const { job_id } = await startSigning(scene.dependencies, caller, scene.repository.id);
    return scene.jobOf(job_id);
  };
  const isRenamed = (name: string) => {
    scene.tool.archives = scene.tool.archives.map((each) => ({
      ...each,
      signature: each.name === name ? 'none' : 'unknown',
    }));
  };

  it('keeps jobs, schedules and marks of archives, even after a crash', async () => {
    for (const way of ['run', 'recover'] as const) {
      await scene.archive(way, 1, { jobId: 7, lacking: ['/x'], partial: true });
      isRenamed(way);
      // A crash came between the work of the tool and the end of the job.
      if (way === 'recover')
        scene.tool.archives = scene.tool.archives.map((each) => ({ ...each, id: `cut-${each.id}` }));
      expect(await scene.run(await signingJob(), way)).toMatchObject({ status: 'completed' });
      const [row] = await scene.storage.find(archives, { where: { name: way } });
      expect(row).toMatchObject({ tool_id: expect.stringMatching(/^new-/), unsigned: false, job_id: 7 });
      expect(row).toMatchObject({ schedule_id: scene.schedule.id, lacking: ['/x'], partial: true });
      await scene.run(await signingJob());
      expect(await scene.storage.find(archives, { where: { name: way } })).toEqual([row]);
    }
    expect(await scene.storage.find(repositories)).toMatchObject([{ unsigned_archives: 0 }]);
  });

  it('keeps the data of an archive while a copy replaces it', async () => {
    await scene.archive('a', 1, { jobId: 7, partial: true });
    scene.tool.failure = new DriverError('connection', 'Gone.');
    const copyOf = (name: string) => {
      scene.tool.archives = scene.tool.archives.map((each) => ({
        ...each,
        name,
        id: `of-${name}`,
        signature: 'none',
      }));
    };
    copyOf('a.signing-0123456789ab');
    await expect(scene.run(await signingJob(), 'recover')).rejects.toMatchObject({ kind: 'connection' });
    await scene.storage.update(jobs, {}, { status: 'failed' });
    expect(await unsigned()).toEqual(['a.signing-0123456789ab']);
    scene.tool.failure = null;
    copyOf('a');
    await scene.run(await signingJob(), 'recover');
    expect(await scene.storage.find(archives)).toMatchObject([{ name: 'a', job_id: 7, partial: true }]);
  });

  it('is required before a repair, and after one without signing', async () => {
    await scene.archive('a', 1);
    await scene.archive('b', 2);
    isRenamed('a');
    expect(await scene.run(await repairJob())).toMatchObject({
      status: 'failed',
      error: { code: 'repair_while_unsigned', params: { archives: ['a'] } },
    });
    expect(scene.tool.checked).toBeNull();
    await scene.storage.update(archives, { name: 'a' }, { unsigned: false });
    const check = scene.dependencies.driver.check as NonNullable<BackupDriver['check']>;
    scene.dependencies.driver.check = (...words) => {
      scene.tool.archives = scene.tool.archives.map((each) => ({ ...each, id: `repaired-${each.id}` }));
      return check(...words);
    };
    expect(await scene.run(await repairJob())).toMatchObject({ status: 'completed' });
    expect(await unsigned()).toEqual(['a', 'b']);
  });
});
