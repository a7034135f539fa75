import { z } from 'zod';
import { id, idText, timestamp } from '../common.js';
import * as field from './fields.js';
import { jobStatus } from './job.js';
import { timezone } from './schedule-fields.js';
import { errorCode, lastErrorCode, reasonCode } from './sentence.js';

const count = z.number().int().min(0);
const mebibyte = 2 ** 20;
const percent = z.number().min(0).max(100).nullable();

const sampleFiles = z.number().int().min(1).max(10_000).openapi({
  description: 'Maximum number of sampled files.',
  example: 200,
});
const sampleBytes = z
  .number()
  .int()
  .min(mebibyte)
  .max(2 ** 44)
  .openapi({ description: 'Maximum number of sampled bytes.', example: 1_000_000_000 });
const fixedPaths = z
  .array(z.string().min(1).max(4096))
  .max(100, 'must have at most 100 entries')
  .openapi({
    description:
      'Paths in the archive that each drill restores in addition to the sample, including everything below ' +
      'them: at most 10000 files in total.',
    example: ['home/ann/letters'],
  });

/** Absent fields are not changed. */
export const drillScheduleChanges = z.object({
  cron_expression: z
    .string()
    .max(200, 'must have at most 200 characters')
    .nullable()
    .optional()
    .openapi({ description: 'Five fields. Empty or null disables the drills.', example: '0 5 * * 1' }),
  timezone: timezone.optional(),
  sample_files: sampleFiles.optional(),
  sample_bytes: sampleBytes.optional(),
  fixed_paths: fixedPaths.optional(),
});

/** When files were last verified, and how much of the newest archive. */
export const lastProof = {
  last_verified_restore: timestamp.nullable().openapi({
    description: 'When a drill last passed.',
  }),
  coverage_percent: percent.openapi({
    description:
      'Percentage of the bytes of the archive drilled last that were tested in the last 90 days. Null ' +
      'without a drill.',
    example: 41.5,
  }),
};

export const drillScheduleView = z.object({
  repository_id: id,
  repository_name: field.repositoryName,
  cron_expression: field.cronExpression.nullable(),
  timezone,
  enabled: field.enabled,
  sample_files: sampleFiles,
  sample_bytes: sampleBytes,
  fixed_paths: fixedPaths,
  last_run: timestamp.nullable(),
  next_run: timestamp.nullable(),
  last_error: z.string().nullable().openapi({ description: 'Why the last scheduled drill did not start.' }),
  ...lastErrorCode,
  ...lastProof,
});

export const drillVerdict = z.enum(['passed', 'failed', 'none']);

export const drillView = z.object({
  id,
  job_id: id,
  repository_id: field.repositoryId,
  repository_name: field.repositoryName,
  status: jobStatus.openapi({ description: 'Status of its job.' }),
  verdict: drillVerdict.openapi({
    description:
      'passed: everything was restored as it was saved. failed: something was not. none: the drill ended ' +
      'without a result, which says nothing about the repository.',
  }),
  requested_by: field.requestedBy,
  planned_at: timestamp.nullable().openapi({ description: 'Null: started manually.' }),
  started_at: timestamp,
  ended_at: timestamp,
  seconds: z.number().min(0),
  archive: z
    .object({ name: field.archiveName, id: field.archiveId, start: timestamp })
    .nullable()
    .openapi({ description: 'Null: it ended before that.' }),
  archive_files: count,
  archive_bytes: count,
  restored_files: count.openapi({ description: 'Files and symlinks with a verdict.' }),
  restored_bytes: count,
  failed_files: count,
  not_examined_files: count.openapi({ description: 'Skipped after many failures, or because of a limit.' }),
  compared_with_source: count.openapi({
    description: 'Compared by hash with a source that has not changed since.',
  }),
  source_changed: count.openapi({ description: 'Their source has changed since, which is not a failure.' }),
  coverage_percent: percent.openapi({ description: 'At the end of the drill.', example: 41.5 }),
  error_message: z.string().nullable(),
  ...errorCode,
});

export const drillResult = z.object({
  path: field.filePath,
  name_escaped: z.literal(true).optional(),
  type: z.string().openapi({ description: '`file` or `symlink`.', example: 'file' }),
  size: count.openapi({ example: 1637 }),
  sha256: z
    .string()
    .nullable()
    .openapi({ description: 'Hash of the restored content.', example: 'ab'.repeat(32) }),
  verdict: z.enum(['passed', 'failed', 'not_examined']),
  compared_with: z.enum(['inventory', 'source']).openapi({
    description:
      'inventory: type, size, time and link target from the listing of the archive. source: also the hash ' +
      'of the source.',
  }),
  source: z.string().openapi({
    description:
      'State of the source: `unchanged`, `changed`, `missing` or `not_here` (on another machine, or an ' +
      'external archive).',
    example: 'unchanged',
  }),
  reason: z.string().nullable(),
  ...reasonCode,
});

export const drillFilter = z.object({
  repository_id: field.repositoryIdText.optional(),
  before: idText.optional().openapi({
    description: 'Only drills with a lower id: `next_before` of the previous page.',
  }),
  limit: field.limitText({ max: 200, fallback: 50 }),
});

export const drillPage = z.object({
  success: z.literal(true),
  drills: z.array(drillView),
  next_before: id.nullable().openapi({ description: '`before` of the next page; null at the end.' }),
});

export const drillEvidence = z.object({
  success: z.literal(true),
  drill: drillView,
  results: z.array(drillResult).openapi({ description: 'Failures first.' }),
  results_total: count,
});

const instant = z.string().datetime({ offset: true }).optional();

export const drillExportQuery = z.object({
  repository_id: field.repositoryIdText.optional(),
  from: instant.openapi({ description: 'Drills that ended then or later. Default: all.' }),
  to: instant.openapi({ description: 'Drills that ended before. Default: now.' }),
  format: z.enum(['json', 'html']).optional().openapi({ description: 'Default: json.', example: 'json' }),
});

export type DrillScheduleChanges = z.infer<typeof drillScheduleChanges>;
export type DrillScheduleView = z.infer<typeof drillScheduleView>;
export type DrillView = z.infer<typeof drillView>;
export type DrillResultView = z.infer<typeof drillResult>;
export type DrillFilter = z.infer<typeof drillFilter>;
export type DrillPage = z.infer<typeof drillPage>;
export type DrillEvidence = z.infer<typeof drillEvidence>;
export type DrillExportQuery = z.infer<typeof drillExportQuery>;
