import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import * as field from './fields.js';
import { sentence } from './overview.js';
import { repositoryToImport, repositoryView } from './repository.js';
import { keepCount, keepRules } from './retention-fields.js';
import { cron, newTimezone, timezone } from './schedule-fields.js';

const success = z.literal(true);
const count = z.number().int().min(0);

const keepSuggestion = {
  prune_keep_hourly: keepCount.openapi({ example: 0 }),
  prune_keep_daily: keepCount.openapi({ example: 7 }),
  prune_keep_weekly: keepCount.openapi({ example: 4 }),
  prune_keep_monthly: keepCount.openapi({ example: 6 }),
  prune_keep_yearly: keepCount.openapi({ example: 1 }),
};

const confidence = z.enum(['high', 'medium', 'low']);

export const suggestedSeries = z.object({
  prefix: z.string().openapi({ description: 'Prefix of its archive names.', example: 'nas-' }),
  pattern: z.string().openapi({ description: 'Pattern to adopt its archives.', example: 'nas-*' }),
  hostname: field.hostname,
  archive_count: count.openapi({ example: 31 }),
  newest_archive: timestamp,
  source_directories: z.array(z.string()).openapi({ example: ['/home'] }),
  exclude_patterns: z.array(z.string()).openapi({ example: ['*.tmp'] }),
  compression: z.string().nullable().openapi({ example: 'lz4' }),
  custom_flags: z.string().nullable().openapi({ example: '--one-file-system' }),
  sources_confidence: confidence,
  rhythm: z
    .object({
      description: z.string().openapi({ example: 'about every day at 02:00' }),
      cron_expression: field.cronExpression,
      timezone,
      confidence,
      archives: count.openapi({ description: 'Number of archives it was inferred from.' }),
    })
    .nullable(),
  retention: z
    .object({
      ...keepSuggestion,
      description: z.string().openapi({ example: 'about 7 daily, 4 weekly' }),
      confidence,
    })
    .nullable()
    .openapi({
      description: 'Counts that keep the existing archives. Null: no archives seem to have been pruned.',
    }),
  remarks: z
    .array(sentence)
    .openapi({ description: 'Settings that cannot be taken over, or are uncertain.', example: [] }),
  evidence: z.array(z.string()).openapi({
    description: 'The command line of the newest archive, word by word.',
    example: ['/usr/bin/borg', 'create', '/srv/backups/nas::nas-2026-03-01', '/home'],
  }),
});

export const suggestionsAnswer = z.object({
  success,
  repository_id: id,
  series: z
    .array(suggestedSeries)
    .openapi({ description: 'The newest first; one for each host and prefix.' }),
});

export const takeOverInput = z.object({
  old_scheduler_off: z.boolean().default(false).openapi({
    description: 'Confirms that the program that made the archives so far is turned off. Required.',
    example: true,
  }),
  old_archives: z.enum(['adopt', 'leave', 'later']).openapi({
    description:
      '`adopt`: the retention of the schedule applies to them and may remove them. `leave` and `later`: ' +
      'they stay; a schedule can adopt them later.',
  }),
  pattern: z
    .string()
    .min(1)
    .max(256, 'must have at most 256 characters')
    .optional()
    .openapi({
      description:
        'Adopts only archives with matching names; without it, all. Required if they belong to several hosts ' +
        'or series.',
      example: 'nas-*',
    }),
  source_directories: z
    .array(repositoryToImport.shape.source_directories.removeDefault().element)
    .max(1000, 'must have at most 1000 entries')
    .openapi({ description: 'May be empty if the repository has `sources`.', example: ['/home'] }),
  exclude_patterns: repositoryToImport.shape.exclude_patterns,
  compression: repositoryToImport.shape.compression,
  custom_flags: repositoryToImport.shape.custom_flags,
  source_connection_id: id.nullable().optional(),
  replace_sources: z.boolean().default(false).openapi({
    description: 'Allows replacing the sources that the repository backs up now.',
  }),
  schedule: z.object({
    name: repositoryToImport.shape.name.openapi({ example: 'Nightly' }),
    cron_expression: cron.nullable(),
    timezone: newTimezone,
    archive_name_template: z.string().max(200, 'must have at most 200 characters').nullable().optional(),
    run_prune_after: z.boolean().default(true),
    run_compact_after: z.boolean().default(true),
    ...keepRules,
  }),
});

export const takeOverAnswer = z.object({
  success,
  message,
  repository: repositoryView,
  schedule_id: id,
  adopted_count: count,
  removed_next: count.openapi({ description: 'Number of adopted archives that the next prune removes.' }),
  warnings: z.array(z.string()).optional(),
});

export type SuggestedSeries = z.infer<typeof suggestedSeries>;
export type SuggestionsAnswer = z.infer<typeof suggestionsAnswer>;
export type TakeOverInput = z.infer<typeof takeOverInput>;
export type TakeOverAnswer = z.infer<typeof takeOverAnswer>;
