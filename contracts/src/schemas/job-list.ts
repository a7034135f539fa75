import { z } from 'zod';
import { id, timestamp } from '../common.js';
import * as field from './fields.js';
import { jobStatus } from './job.js';
import { errorCode, waitingCode } from './sentence.js';
import { sourceKind, sourceName } from './source.js';

export const jobKind = z.enum([
  'backup',
  'restore',
  'check',
  'prune',
  'compact',
  'archive_deletion',
  'drill',
  'passphrase_change',
  'discovery',
]);

const count = z.number().int().min(0);

/**
 * Sizes in bytes, speed in MB/s (2^20 bytes, averaged over 30 s), times in seconds. Unknown values are 0 or
 * empty.
 */
export const jobProgress = z.object({
  original_size: count.openapi({ example: 1_706_203 }),
  compressed_size: count.openapi({ example: 1_204_117 }),
  deduplicated_size: count.openapi({ example: 40_231 }),
  nfiles: count.openapi({ example: 1042 }),
  current_file: field.filePath,
  speed: z.number(),
  total_expected_size: count,
  estimated_time_remaining: count,
});

/** Times are null until then. */
const jobSource = z.object({
  kind: sourceKind,
  name: sourceName,
  dumps: count.openapi({ description: 'Dumps that it puts into the archive.' }),
  begun_at: timestamp,
  prepared_at: timestamp.nullable(),
  released_at: timestamp.nullable().openapi({
    description: 'When everything that was stopped runs again, and nothing is left behind.',
  }),
  error_message: z.string().nullable().openapi({ description: 'Why the archive lacks it.' }),
  ...errorCode,
});

/** What a job is about and what it achieved. A job has only the fields of its kind. */
export const jobSubject = z.object({
  archive: field.archiveName
    .nullable()
    .optional()
    .openapi({
      description:
        'Of a backup, a restore, a drill and an archive deletion. Null: the backup has not created it yet, ' +
        'or the drill has not chosen it yet.',
    }),
  sources: z.array(jobSource).optional().openapi({
    description: 'Of a backup: the databases and containers that it prepares, in this order.',
  }),
  maintenance_status: z.string().nullable().optional().openapi({
    description: 'Of a backup by a schedule: its prune and compact.',
  }),
  destination: z.string().optional().openapi({ example: '/srv/restored' }),
  destination_connection_id: id.nullable().optional(),
  destination_host: z.string().nullable().optional().openapi({
    description: 'Of a restore: `user@host`; null: this server.',
  }),
  dump: z
    .object({ kind: sourceKind, source: sourceName, name: z.string().openapi({ example: 'shop.dump' }) })
    .optional()
    .openapi({ description: 'Of a restore of a dump, whose `destination` is the database.' }),
  path_count: count.optional().openapi({ description: 'Of a restore: chosen paths; 0: the whole archive.' }),
  restored: count.nullable().optional(),
  replaced: count.nullable().optional(),
  kept: count.nullable().optional(),
  restored_bytes: count.nullable().optional(),
  check_type: z.enum(['manual', 'scheduled', 'repair']).optional(),
  signs: z.boolean().optional(),
  damaged_archives: z.array(z.string()).optional(),
  would_delete: z.array(z.string()).optional(),
  max_duration: count.optional(),
  verify_data: z.boolean().optional(),
  partial: z.boolean().optional(),
  problems_found: z.boolean().nullable().optional(),
  dry_run: z.boolean().optional(),
  kept_count: count.nullable().optional(),
  removed_count: count.nullable().optional(),
  freed_bytes: count.nullable().optional(),
  drilled_files: count.nullable().optional().openapi({ description: 'Of a drill: files with a verdict.' }),
  failed_files: count.nullable().optional(),
  found_count: count.nullable().optional().openapi({
    description: 'Of a discovery, whose `repository` is the folder: repositories found.',
  }),
});

export const jobView = z.object({
  id,
  kind: jobKind,
  status: jobStatus,
  repository: field.repositoryPath,
  repository_id: field.repositoryId.openapi({
    description: 'Null: the repository was removed from Holdfast, or the job has none.',
  }),
  repository_name: field.repositoryName,
  schedule_id: id
    .nullable()
    .openapi({ description: 'Null: not started by a schedule, or the schedule was deleted.' }),
  requested_by: field.requestedBy,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  seconds: z.number().min(0).nullable().openapi({ description: 'How long it ran. Null until it ends.' }),
  progress: field.progress,
  progress_details: jobProgress,
  progress_message: z.string().nullable(),
  error_message: z.string().nullable().openapi({
    description: 'Why it failed; the warnings if it completed with warnings.',
  }),
  ...errorCode,
  /** What a pending job waits for. */
  waiting_for: z.string().nullable(),
  ...waitingCode,
  has_logs: field.hasLogs,
  cancel_requested: z.boolean().openapi({ description: 'It is being cancelled, or was.' }),
  cancellable: z.boolean().openapi({ description: 'It has not ended, and you may cancel it.' }),
  about: jobSubject,
});

/** The `data:` of `job_progress` in the stream of events. */
export const jobProgressEvent = jobView
  .pick({ kind: true, repository_id: true, schedule_id: true, progress: true, progress_details: true })
  .extend({ job_id: id, progress_message: z.string().nullable() });

export type JobProgressEvent = z.infer<typeof jobProgressEvent>;
export type JobView = z.infer<typeof jobView>;
export type JobSubject = z.infer<typeof jobSubject>;
export type JobProgressView = z.infer<typeof jobProgress>;
