import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archiveDeletionHandler } from '../../src/backup/archives/deletion.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import type { JobContext, JobEnd } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { type ArchiveScene, archiveScene, caller } from './archive-scene.js';

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
});
afterEach(() => scene.end());

const remove = (archive = 'first') => scene.useCases.deleteArchive(caller, { ...scene.of, archive });
const patch = (id: number, values: Partial<JobRow>) => scene.storage.update(jobs, { id }, values);

describe('asking for a deletion', () => {
  test('creates a job and reports the reason it waits', async () => {
    expect(await remove()).toEqual({
      success: true,
      job_id: 1,
      status: 'pending',
      message: 'Deletion of archive first queued.',
    });
    scene.lane.holder = 'backup job 9';
    expect((await remove('second')).message).toContain('backup job 9');
    expect(await scene.storage.find(jobs, {})).toMatchObject([
      { kind: 'archive_deletion', requested_by: 'alice', parameters: { archive: 'first' } },
      { parameters: { archive: 'second' } },
    ]);
  });

  test('is refused for missing archives and in observe mode', async () => {
    await expect(remove('third')).rejects.toMatchObject({ code: 'not_found' });
    await scene.change({ mode: 'observe' });
    await expect(remove()).rejects.toMatchObject({ code: 'invalid' });
    expect(await scene.storage.find(jobs, {})).toEqual([]);
  });

  test('is refused while another one of the same archive is open', async () => {
    const answers = await Promise.allSettled([remove(), remove(), remove()]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await patch(1, { status: 'running' });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict' });
    await patch(1, { status: 'failed' });
    expect((await remove()).success).toBe(true);
  });
});

describe('the job', () => {
  const status = async (values: Partial<JobRow>) => {
    await patch(1, values);
    return scene.useCases.getDeleteJob(1);
  };
  beforeEach(() => remove());

  test('shows the states of the document only', async () => {
    expect(await status({ waiting_for: 'backup job 3' })).toMatchObject({
      success: true,
      id: 1,
      archive_name: 'first',
      status: 'pending',
      progress: 0,
      has_logs: false,
      logs: null,
      progress_message: 'Waiting for backup job 3',
    });
    expect(await status({ status: 'running', started_at: 5 })).toMatchObject({
      status: 'running',
      progress: 50,
    });
    expect(await status({ status: 'completed_with_warnings', error_message: 'odd' })).toMatchObject({
      status: 'completed',
      progress: 100,
      error_message: 'odd',
      progress_message: null,
    });
    await expect(scene.useCases.getDeleteJob(2)).rejects.toMatchObject({ code: 'not_found' });
  });

  const context = async () => {
    const [job] = await scene.storage.find(jobs, { where: { id: 1 } });
    const [repository] = await scene.storage.find(repositories, {});
    return {
      job,
      repository,
      progress: () => {},
      log: () => {},
      toolOptions: () => ({}),
    } as unknown as JobContext;
  };
  const settle = async (end: Partial<JobEnd>) => {
    const { job, repository } = await context();
    const settlement = archiveDeletionHandler(scene.dependencies).settle(
      job,
      { status: 'completed', error: null, outcome: null, ...end },
      repository,
    );
    await scene.storage.transaction(async (session) => settlement.commit?.(session, async () => {}));
    return settlement.events;
  };

  test('deletes the archive by its name; the inventory and its followers know', async () => {
    const handler = archiveDeletionHandler(scene.dependencies);
    scene.tool.storedSize = 4711;
    const result = await handler.run(await context());
    expect(result).toMatchObject({ status: 'completed', error: null });
    expect(scene.tool.archives.map(({ name }) => name)).toEqual(['second']);
    expect(await settle({ outcome: result.outcome ?? null })).toMatchObject([
      { kind: 'archives_changed', data: { removed: ['first'] } },
    ]);
    expect((await scene.storage.find(archives, {})).map(({ name }) => name)).toEqual(['second']);
    expect(await scene.storage.find(repositories, {})).toMatchObject([{ stored_size: 4711 }]);
  });

  test('warns if another program deleted the archive first', async () => {
    scene.tool.archives.shift();
    const result = await archiveDeletionHandler(scene.dependencies).run(await context());
    expect(result).toMatchObject({
      status: 'completed_with_warnings',
      error: { text: expect.stringContaining('no longer existed') },
    });
  });

  test('keeps the rows after a failure and lets the next reader list again', async () => {
    await patch(1, { started_at: 5 });
    expect(await settle({ status: 'cancelled' })).toBeUndefined();
    expect(await scene.storage.find(archives, {})).toHaveLength(2);
    expect(await scene.storage.find(repositories, {})).toMatchObject([{ inventory_at: null }]);
  });

  test('checks the repository when its process vanished', async () => {
    const handler = archiveDeletionHandler(scene.dependencies);
    expect(await handler.recover(await context())).toMatchObject({ status: 'failed' });
    expect(scene.tool.calls).toEqual([]);
    scene.tool.archives.shift();
    expect(await handler.recover(await context())).toMatchObject({ status: 'completed' });
  });
});
