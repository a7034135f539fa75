import type { JobFact, World } from './world.js';

const path = '/srv/one';

const job = (id: number, fields: Partial<JobFact>): JobFact => ({
  id,
  uid: `uid-${id}`,
  kind: 'backup',
  status: 'completed',
  repository_id: 1,
  repository_path: path,
  owner: null,
  schedule_id: null,
  slot_id: null,
  requested_at: id,
  completed_at: id + 1,
  error_message: null,
  parameters: {},
  outcome: { archive: { name: `archive-${id}` } },
  ...fields,
});

/** A slot with a backup; one whose backup failed; a backup that was deleted, one that a prune removed; a check. */
export const soundWorld = (): World => ({
  jobs: [
    job(1, { slot_id: 1, schedule_id: 1 }),
    job(2, {}),
    job(3, { kind: 'archive_deletion', parameters: { archive: 'archive-2' }, outcome: null }),
    job(4, {}),
    job(5, { kind: 'prune', outcome: { removed: ['archive-4'] } }),
    job(6, { slot_id: 2, schedule_id: 2, status: 'failed', error_message: 'Interrupted.', outcome: null }),
    job(7, { kind: 'check', outcome: null }),
  ],
  slots: [
    { id: 1, schedule_id: 1, planned_at: 5_000, outcome: 'completed', reason: null },
    { id: 2, schedule_id: 2, planned_at: 5_000, outcome: 'failed', reason: 'one failed: Interrupted.' },
  ],
  events: [
    ...[1, 2, 4].flatMap((id) => ['backup_start', 'backup_success'].map((kind) => ({ job_id: id, kind }))),
    { job_id: 6, kind: 'backup_failure' },
    { job_id: 7, kind: 'check_success' },
  ],
  deliveries: [{ message_id: 'one', status: 'delivered' }],
  holders: [],
  repositories: [{ path, archives: [{ name: 'archive-1', job: 1 }], listed: ['archive-1'] }],
  writers: [1, 2, 4, 6].map((id) => ({
    found: 'alone',
    verb: 'create',
    repository: 'one',
    job: `uid-${id}`,
  })),
  received: ['one'],
  planned: [1, 2].map((schedule) => ({ schedule, at: 5_000 })),
  promised: [1, 2, 7],
  wrongAnswers: [],
  processes: [],
  files: [],
  health: [{ status: 'healthy', ready: true, degraded: [], notices: [] }],
  logs: ['{"level":"warn","msg":"due schedules could not be read; retrying"}'],
});
