import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import { lostFiles } from './archive.js';
import * as field from './fields.js';
import { jobStatus } from './job.js';
import { keepCount, keepWithin } from './retention-fields.js';
import { errorCode, waitingCode } from './sentence.js';

const text = z.string();
const wholeDay = 86_400;

export const checkInput = z
  .object({
    max_duration: z
      .number()
      .int()
      .min(0, 'must be 0 or more')
      .max(30 * wholeDay, 'must be at most 2592000')
      .default(0)
      .openapi({
        description:
          'Seconds. Above 0: a partial check. It covers only the repository itself, continues where the last ' +
          'partial check ended, and does not update `last_check`. 0: a full check.',
      }),
    verify_data: z.boolean().default(false).openapi({
      description: 'Also reads and verifies the content of every file. This takes a long time.',
    }),
  })
  .refine((input) => input.max_duration === 0 || !input.verify_data, {
    message: 'needs max_duration 0: all data cannot be verified in a limited time',
    path: ['verify_data'],
  })
  .openapi({ example: { max_duration: 3600 } });

export const repairInput = z.object({
  confirm_name: z.string().max(255).openapi({
    description:
      'The name of the repository, as a confirmation. A repair may lose data that is still readable.',
    example: 'Home',
  }),
  delete_archives: z
    .array(z.string().max(255))
    .max(10_000)
    .default([])
    .openapi({
      description:
        'Names of the archives that the repair may delete. It stops before it deletes any other one, and ' +
        'lists that one in `would_delete` of its job.',
    }),
});

export const pruneInput = z
  .object({
    keep_hourly: keepCount.default(0),
    keep_daily: keepCount.default(7),
    keep_weekly: keepCount.default(4),
    keep_monthly: keepCount.default(6),
    keep_quarterly: keepCount.default(0),
    keep_yearly: keepCount.default(1),
    keep_within: keepWithin.nullable().optional(),
    schedule_id: id
      .nullable()
      .optional()
      .openapi({
        description:
          'Only archives that belong to this schedule: created by it, or adopted. Without it, all archives of the ' +
          'repository.',
      }),
    dry_run: z.boolean().default(false).openapi({ description: 'Only reports what would be removed.' }),
    confirm_more_than_half: z.boolean().default(false).openapi({
      description: 'Without it, a prune that would remove more than half of the archives fails.',
    }),
  })
  .openapi({ example: { keep_daily: 7, keep_weekly: 4, keep_monthly: 6, dry_run: true } });

/** Fields of every check, compact and prune job. */
const maintenanceJob = z.object({
  id,
  repository_id: field.repositoryId,
  repository: field.repositoryPath,
  repository_name: field.repositoryName,
  status: jobStatus,
  triggered_by: z.enum(['manual', 'schedule']),
  /** The schedule whose backup it ran after. */
  scheduled_job_id: id.nullable(),
  requested_by: field.requestedBy,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  progress: field.progress,
  progress_message: text.nullable().openapi({ description: 'The current phase, as reported by Borg.' }),
  error_message: text.nullable(),
  ...errorCode,
  waiting_for: text.nullable().openapi({ description: 'What a pending job is waiting for.' }),
  ...waitingCode,
  has_logs: field.hasLogs,
});

export const checkJobView = maintenanceJob.extend({
  check_type: z.enum(['manual', 'scheduled', 'repair']),
  signs: z
    .boolean()
    .openapi({ description: 'It signs archives and neither checks nor repairs; `check_type` is `repair`.' }),
  max_duration: z.number().int(),
  verify_data: z.boolean(),
  partial: z
    .boolean()
    .openapi({ description: 'Only part of the repository is checked, so `last_check` is not updated.' }),
  problems_found: z.boolean().nullable().openapi({
    description:
      'True: the repository is damaged; see the log. Null: no result yet, or the check ended without one.',
  }),
  damaged_archives: z.array(text).openapi({
    description: 'Archives that this job found to be damaged.',
    example: ['home-2026-03-01T02:00:00'],
  }),
  would_delete: z.array(text).openapi({
    description: 'Archives that the repair would delete; it stops before it does.',
    example: ['home-2026-03-01T02:00:00'],
  }),
});

export const compactJobView = maintenanceJob.extend({
  freed_bytes: z.number().int().nullable(),
});

export const pruneJobView = maintenanceJob.extend({
  dry_run: z.boolean(),
  schedule_id: id.nullable().openapi({ description: 'Null: the whole repository.' }),
  kept_count: z.number().int().nullable(),
  removed_count: z.number().int().nullable().openapi({
    description:
      'Number of archives removed. For a dry run or a rejected prune: number that would be removed.',
  }),
});

/** One archive that a prune considered. */
export const prunedArchive = z.object({
  name: field.archiveName,
  start: timestamp,
  rule: text.openapi({
    description:
      '`removed`, or the rule that keeps it: `daily #3`, `within #1`, `newest good archive`, `newest ' +
      'archive with /srv/a` (the newest one that could read this source), `in the future`, `pinned: ` and the reason.',
    example: 'weekly #2',
  }),
});

export const logs = text
  .nullable()
  .openapi({ description: 'The last 1000 lines of the log, joined; null if there are none.' });

const output = text.openapi({ example: '' });

export const pruneAnswer = z.object({
  success: field.succeeded.openapi({ description: 'False when the prune failed or was cancelled.' }),
  job_id: id,
  status: jobStatus,
  dry_run: z.boolean(),
  message,
  archives: z.array(prunedArchive).nullable().openapi({ description: 'Newest first; null until known.' }),
  lost: lostFiles.nullable().optional().openapi({
    description: 'With `dry_run`: files that would be lost. Null without an index, and until it is known.',
  }),
  prune_result: z
    .object({ success: field.succeeded, stdout: output, stderr: output })
    .nullable()
    .openapi({ description: 'Null while the job is pending or running: see GET …/prune-jobs/{job_id}.' }),
});

const running = z.object({
  id,
  progress: z.number().int().openapi({ example: 100 }),
  progress_message: text.nullable(),
  started_at: timestamp.nullable(),
});

export const runningJobs = z.object({
  success: z.literal(true),
  has_running_jobs: z.boolean(),
  check_job: running.nullable(),
  compact_job: running.nullable(),
  prune_job: running.nullable(),
});

export type CheckInput = z.infer<typeof checkInput>;
export type RepairInput = z.infer<typeof repairInput>;
export type PruneInput = z.infer<typeof pruneInput>;
export type PruneAnswer = z.infer<typeof pruneAnswer>;
export type PrunedArchive = z.infer<typeof prunedArchive>;
export type MaintenanceJobView = z.infer<typeof maintenanceJob>;
export type CheckJobView = z.infer<typeof checkJobView>;
export type CompactJobView = z.infer<typeof compactJobView>;
export type PruneJobView = z.infer<typeof pruneJobView>;
