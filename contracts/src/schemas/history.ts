import { z } from 'zod';
import { id, timestamp } from '../common.js';
import * as field from './fields.js';
import { jobStatus } from './job.js';

const bytes = z.number().int().min(0).nullable();

/** A letter for each day, oldest first. */
export const dayStrip = z
  .string()
  .regex(/^[owfml-]*$/)
  .openapi({
    description:
      'One letter per day, oldest first. `o`: an archive that counts was created. `w`: one with warnings. ' +
      '`f`: failed. `m`: a scheduled run did not take place. `l`: nothing was scheduled, and the newest ' +
      'archive was too old. `-`: nothing was due, or a run was cancelled.',
    example: 'oooowoofooooooooooooomooooooo-',
  });

export const historyArchive = z.object({
  id: field.archiveId,
  name: field.archiveName,
  start: timestamp,
  seconds: z.number().min(0).nullable(),
  original_bytes: bytes.openapi({ description: 'Null for archives that Holdfast did not create.' }),
  added_bytes: bytes.openapi({
    description: 'Size that it added to the repository when it was created. Null unless Holdfast created it.',
  }),
  schedule_id: id.nullable(),
  damaged: z.boolean(),
});

export const historySample = z.object({
  at: timestamp.openapi({ description: 'When the job ended.' }),
  job_id: id,
  kind: z.enum(['backup', 'prune', 'compact']),
  size_bytes: bytes.openapi({
    description: 'Size of the repository on disk, as in `total_size_bytes`.',
    example: 1_204_117,
  }),
  free_bytes: bytes.openapi({ description: 'Free space at the location of the repository.' }),
  archive_count: z.number().int().openapi({ example: 31 }),
  original_bytes: bytes.openapi({ description: 'Of the archive that the job created; null for other jobs.' }),
  added_bytes: bytes,
  seconds: z.number().min(0).openapi({ description: 'How long the job ran.' }),
});

export const repositoryHistory = z.object({
  success: z.literal(true),
  repository_id: id,
  from: timestamp,
  to: timestamp,
  archive_count: z.number().int().openapi({ description: 'All archives that exist now.', example: 31 }),
  /** Oldest first. */
  archives: z.array(historyArchive),
  /** Oldest first. */
  samples: z.array(historySample),
  truncated: z.boolean().openapi({
    description: 'There are more archives or samples: request them with a larger `offset`.',
  }),
});

export const calendarDay = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .openapi({ example: '2026-03-01' });

export const historyDays = z.object({
  success: z.literal(true),
  as_of: timestamp,
  timezone: field.zoneName,
  first_day: calendarDay,
  last_day: calendarDay.openapi({ description: "Today's date in the time zone." }),
  repositories: z.array(z.object({ id, name: field.repositoryName, days: dayStrip })),
});

export const historyRun = z.object({
  at: timestamp.openapi({ description: 'When it was requested, planned, or when the archive started.' }),
  outcome: z
    .enum([...jobStatus.options, 'missed', 'skipped', 'refused'])
    .openapi({ description: 'Status of the job, or why a scheduled run did not take place.' }),
  repository_id: id.nullable(),
  repository_name: field.repositoryName.nullable(),
  job_id: id.nullable().openapi({ description: 'Null: no job ran.' }),
  schedule_id: id.nullable(),
  schedule_name: field.scheduleName.nullable(),
  archive_name: field.archiveName
    .nullable()
    .openapi({ description: 'Of an archive that Holdfast did not create; otherwise null.' }),
});

export const historyRuns = z.object({
  success: z.literal(true),
  day: calendarDay,
  timezone: field.zoneName,
  /** Oldest first. */
  runs: z.array(historyRun),
  truncated: z.boolean().openapi({ description: 'There are more than `limit`.' }),
});

export type HistoryRun = z.infer<typeof historyRun>;
export type HistoryRuns = z.infer<typeof historyRuns>;
export type HistoryArchive = z.infer<typeof historyArchive>;
export type HistorySample = z.infer<typeof historySample>;
export type RepositoryHistory = z.infer<typeof repositoryHistory>;
export type HistoryDays = z.infer<typeof historyDays>;
