import { expect, test } from 'vitest';
import { endEvents } from '../../src/backup/backups/backup-events.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import type { JobEnd } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { Message } from '../../src/foundation/kernel/index.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { said } from '../fakes/said.js';

const ended = (values: Partial<JobRow> = {}): Promise<JobRow> =>
  memoryStorage().insert(jobs, {
    kind: 'backup',
    status: 'completed',
    repository_id: 7,
    repository_path: '/backups/home',
    repository_name: 'home',
    requested_by: 'alice',
    requested_at: 0,
    progress: noProgress,
    parameters: {},
    started_at: 1_000,
    completed_at: 3_500,
    ...values,
  });
const facts = { repository_name: 'home', repository_path: '/backups/home', job_id: 1 };
const failed: JobEnd = { status: 'failed', error: said('The disk is full.'), outcome: null };

test('reports a failure with its reason, job and schedule', async () => {
  const parameters = { schedule: { id: 3, name: 'nightly' } };
  const [event] = endEvents(await ended({ schedule_id: 3, parameters }), failed);
  expect(event).toMatchObject({ kind: 'backup_failure', repositoryId: 7, jobId: 1 });
  expect(event?.data).toMatchObject({
    ...facts,
    error_message: 'The disk is full.',
    job_name: 'nightly',
    schedule_id: 3,
  });
});

test('reports nothing for a backup that a hook postponed', async () => {
  const error = new Message('hook_postponed', {}, 'The disk is away.');
  const end: JobEnd = { status: 'cancelled', error, outcome: null };
  expect(endEvents(await ended(), end)).toEqual([]);
  expect(endEvents(await ended(), { ...end, error: said('Cancelled.') })).toHaveLength(1);
});

test('reports a failure for a backup that was cancelled before it began', async () => {
  const job = await ended({ started_at: null });
  const [event] = endEvents(job, { ...failed, status: 'cancelled', error: said('Cancelled by a user.') });
  expect(event?.data).toMatchObject({ status: 'cancelled', started_at: null, job_name: null });
});

test('reports a success with its sizes and duration', async () => {
  const stats = { originalSize: 3, compressedSize: 2, deduplicatedSize: 1, files: 1 };
  const outcome = { archive: { name: 'home-1' }, stats };
  const [event] = endEvents(await ended(), { status: 'completed', error: null, outcome });
  expect(event?.data).toEqual({
    ...facts,
    job_name: null,
    schedule_id: null,
    started_at: '1970-01-01T00:00:01.000Z',
    archive_name: 'home-1',
    duration_seconds: 2.5,
    stats: { original_size: 3, compressed_size: 2, deduplicated_size: 1 },
  });
});
