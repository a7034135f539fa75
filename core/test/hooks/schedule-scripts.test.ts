import { beforeEach, describe, expect, it } from 'vitest';
import { closeJournal, openJournals } from '../../src/backup/hooks/close-journals.js';
import { waitsForEarlierRun } from '../../src/backup/hooks/job-journal.js';
import type { RepositoryRow } from '../../src/backup/repositories/tables.js';
import { slots } from '../../src/backup/schedules/tables.js';
import { type JobRow, jobLogs, jobs } from '../../src/engine/jobs/tables.js';
import { paces } from '../../src/foundation/kernel/pace.js';
import { failing, makeScene, type Run, type Scene, scripted } from './hook-scene.js';

let scene: Scene;
let open: number;
let close: number;

beforeEach(async () => {
  scene = makeScene();
  open = (await scene.addScript('open')).id;
  close = (await scene.addScript('close')).id;
});

interface Begun extends Run {
  job: JobRow;
  repository: RepositoryRow;
}

/** A run of the schedule over two repositories. */
async function beginRun(name = 'run'): Promise<{ slotId: number; first: Begun; second: Begun }> {
  const { id: slotId } = await scene.addSlot();
  const more = { slot_id: slotId, schedule_id: 1, parameters: scripted(open, close) };
  const begin = async (which: string) => {
    const repository = await scene.addRepository(`${name} ${which}`);
    const job = await scene.addJob(repository, more);
    return { job, repository, ...scene.enter(job, repository) };
  };
  const [first, second] = [await begin('first'), await begin('second')];
  await scene.storage.update(slots, { id: slotId }, { job_ids: [first.job.id, second.job.id] });
  return { slotId, first, second };
}

async function endRun(slotId: number, outcome: 'completed' | 'failed' = 'completed') {
  await scene.storage.update(jobs, { slot_id: slotId }, { status: outcome, completed_at: scene.clock.now() });
  await scene.storage.update(slots, { id: slotId }, { outcome });
}

/** What each of several instances would do now. */
async function tend(stop = new AbortController().signal) {
  const rows = await openJournals(scene.needs, paces.usual.jobs);
  await Promise.all(
    [...rows, ...rows, ...rows].map((row) =>
      closeJournal(scene.needs, row, { stop, times: paces.usual.jobs }),
    ),
  );
}

describe('the scripts of a schedule', () => {
  it('run once, however many backups begin at once and instances look', async () => {
    const { slotId, first, second } = await beginRun();
    await Promise.all([first, second].map(({ context }) => scene.hooks.run(context)));
    expect(scene.ran).toEqual(['open', 'backup', 'backup']);
    await tend();
    expect(scene.ran).not.toContain('close');
    await endRun(slotId);
    await tend();
    await tend();
    expect(scene.ran).toEqual(['open', 'backup', 'backup', 'close']);
    expect((await scene.storage.find(jobLogs)).map(({ content }) => content).join()).toContain('"close"');
  });

  it('let no backup begin if the first one fails, and report it once', async () => {
    const { slotId, first, second } = await beginRun();
    scene.behaviour.open = () => failing(2);
    const results = await Promise.all([first, second].map(({ context }) => scene.hooks.run(context)));
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'failed',
        error: { text: expect.stringContaining('exit code 2') },
      });
    }
    expect(await scene.failures()).toHaveLength(1);
    await endRun(slotId, 'failed');
    await tend();
    expect(scene.ran).toEqual(['open', 'close']);
    expect(scene.orders[1]?.environment.BK_UI_BACKUP_STATUS).toBe('failure');
  });

  it('postpone the whole run with exit code 75, and report nothing', async () => {
    const { slotId, first, second } = await beginRun();
    scene.behaviour.open = (order) => {
      order.onLine?.({ stream: 'stderr', text: 'on battery' });
      return failing(75);
    };
    const results = await Promise.all([first, second].map(({ context }) => scene.hooks.run(context)));
    const reason = 'The pre-backup hook "open" postponed the backup: on battery';
    for (const result of results)
      expect(result).toMatchObject({ status: 'cancelled', error: { text: reason } });
    const again = scene.enter(await scene.again(first.job), first.repository);
    expect(await scene.hooks.recover(again.context)).toMatchObject({ status: 'cancelled' });
    expect(await scene.failures()).toEqual([]);
    await endRun(slotId, 'failed');
    await tend();
    expect(scene.ran).toEqual(['open', 'close']);
  });

  it('let none begin when the job that ran the first one was cancelled', async () => {
    const { first, second } = await beginRun();
    scene.behaviour.open = () => {
      first.cancel();
      return { ...failing(-1), end: 'aborted' };
    };
    await expect(scene.hooks.run(first.context)).rejects.toThrow('cancelled');
    expect(await scene.hooks.run(second.context)).toMatchObject({ status: 'failed' });
    expect([scene.ran, (await scene.failures()).length]).toEqual([['open'], 1]);
  });

  it('let none begin when the instance that ran the first one vanished', async () => {
    const { slotId, first, second } = await beginRun();
    scene.behaviour.open = () => new Promise(() => {});
    void scene.hooks.run(first.context).catch(() => undefined);
    await expect.poll(() => scene.ran).toEqual(['open']);
    const other = scene.hooks.run(second.context);
    const recovering = scene.enter(await scene.again(first.job), first.repository);
    scene.toolDoes(async () => ({ status: 'failed' }));
    await scene.hooks.recover(recovering.context);
    expect(await other).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('was interrupted') },
    });
    expect(scene.ended).toHaveLength(1);
    await endRun(slotId, 'failed');
    await tend();
    expect(scene.ran.filter((text) => text !== 'backup')).toEqual(['open', 'close']);
  });

  it('are not owed for a run none of whose backups began', async () => {
    const { slotId } = await beginRun();
    await endRun(slotId, 'failed');
    await tend();
    expect(scene.ran).toEqual([]);
  });

  it('clear no error of the schedule when the last one ends well', async () => {
    const { slotId, first } = await beginRun();
    await scene.hooks.run(first.context);
    await endRun(slotId);
    const noted: unknown[] = [];
    scene.needs.noteSchedule = async (_session, id) => void noted.push(id);
    await tend();
    expect(scene.ran).toContain('close');
    expect(noted).toEqual([]);
  });

  it('run at the end even if the schedule was deleted', async () => {
    const { slotId, first, second } = await beginRun();
    await scene.hooks.run(first.context);
    await scene.storage.remove(slots, { id: slotId });
    await scene.storage.update(jobs, { slot_id: slotId }, { slot_id: null, schedule_id: null });
    await scene.endJob(first.job.id, 'completed');
    await tend();
    expect(scene.ran).not.toContain('close');
    await scene.endJob(second.job.id, 'failed');
    await tend();
    expect(scene.ran.at(-1)).toBe('close');
  });

  it('continue at the next start if the service stops during the last one', async () => {
    const { slotId, first } = await beginRun();
    await scene.hooks.run(first.context);
    await endRun(slotId);
    const stop = new AbortController();
    scene.behaviour.close = () => {
      stop.abort();
      return { ...failing(-1), end: 'aborted' };
    };
    await tend(stop.signal);
    delete scene.behaviour.close;
    await tend();
    expect(scene.ran.filter((text) => text === 'close')).toHaveLength(2);
    expect(await openJournals(scene.needs, paces.usual.jobs)).toEqual([]);
  });
});

describe('two runs of one schedule', () => {
  it('follow each other: the later one waits for the scripts of the earlier one', async () => {
    const [earlier, later] = [await beginRun('earlier'), await beginRun('later')];
    const waits = () => waitsForEarlierRun(scene.storage, later.first.job);
    expect(await waitsForEarlierRun(scene.storage, earlier.first.job)).toBeNull();
    expect(`${await waits()}`).toBe('the end of the earlier run of schedule nightly');
    await scene.hooks.run(earlier.first.context);
    await endRun(earlier.slotId);
    expect(await waits()).not.toBeNull();
    await tend();
    expect(await waits()).toBeNull();
  });
});

it('hooks that a job ended without are run for it', async () => {
  const repository = await scene.addRepository('home', { post_backup_script: 'after' });
  const job = await scene.addJob(repository);
  const { context, lose } = scene.enter(job, repository);
  scene.toolDoes(async () => {
    lose();
    throw new Error('gone');
  });
  await expect(scene.hooks.run(context)).rejects.toThrow('gone');
  await tend();
  expect(scene.ran).toEqual(['backup']);
  await scene.endJob(job.id, 'failed');
  await tend();
  expect(scene.ran).toEqual(['backup', 'after']);
});
