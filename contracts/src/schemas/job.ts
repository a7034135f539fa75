import { z } from 'zod';
import { id, timestamp } from '../common.js';
import * as field from './fields.js';
import { errorCode, waitingCode } from './sentence.js';

export const jobStatus = z
  .enum(['pending', 'running', 'completed', 'completed_with_warnings', 'failed', 'cancelled'])
  .openapi({ example: 'completed' });

/**
 * Sizes in bytes, speed in MB/s (2^20 bytes, averaged over 30 s), times in seconds. Unknown values are 0 or
 * empty.
 */
export const backupProgress = z.object({
  original_size: z.number().int().openapi({ example: 1_706_203 }),
  compressed_size: z.number().int().openapi({ example: 1_204_117 }),
  deduplicated_size: z.number().int().openapi({ example: 40_231 }),
  nfiles: z.number().int().openapi({ example: 1042 }),
  current_file: field.filePath,
  progress_percent: z.number().min(0).max(100).openapi({ example: 100 }),
  backup_speed: z.number().openapi({ example: 48.2 }),
  total_expected_size: z.number().int(),
  estimated_time_remaining: z.number().int(),
});

export const backupJobView = z.object({
  id,
  repository: field.repositoryPath,
  repository_id: field.repositoryId,
  repository_name: field.repositoryName,
  status: jobStatus,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  progress: field.progress,
  progress_details: backupProgress,
  error_message: z.string().nullable(),
  ...errorCode,
  /** What a pending job waits for. */
  waiting_for: z.string().nullable(),
  ...waitingCode,
  has_logs: field.hasLogs,
  archive_name: field.archiveName.nullable(),
  maintenance_status: z.string().nullable(),
  /** Null for a backup that was started manually. */
  scheduled_job_id: id.nullable(),
});

export const logPage = z.object({
  success: z.literal(true),
  job_id: id,
  status: jobStatus,
  lines: z.array(
    z.object({
      line_number: z.number().int().positive(),
      content: z.string().openapi({ example: 'Creating archive at "/backups/home"' }),
    }),
  ),
  total_lines: z.number().int(),
  has_more: z.boolean(),
});

/** The path of a repository, or its id if the text is a positive whole number. */
export const repositoryReference = z.union([z.string().min(1), id]);

export type BackupJobView = z.infer<typeof backupJobView>;
export type LogPage = z.infer<typeof logPage>;
export type RepositoryReference = z.infer<typeof repositoryReference>;
