import { z } from 'zod';
import { id, timestamp } from '../common.js';
import { jobStatus } from './job.js';
import { sentence } from './overview.js';
import { newRepository, repositoryToImport, repositoryView } from './repository.js';
import { keepCount, keepWithin } from './retention-fields.js';
import { cron, timezone } from './schedule-fields.js';

const success = z.literal(true);
const count = z.number().int().min(0);
const path = z.string().min(1, 'must not be empty').max(4096, 'is too long');
const passphrase = repositoryToImport.shape.passphrase;
const keyfile = repositoryToImport.shape.keyfile_content;

export const discoverInput = z.object({
  path: path
    .nullable()
    .optional()
    .openapi({
      description:
        'The folder below which to look. With `connection_id`: on that host, absolute or below its home folder ' +
        'with a leading `./`; without it, the default path of the connection.',
      example: '/srv/backups',
    }),
  connection_id: id.nullable().optional().openapi({ description: 'Look on this host.' }),
  depth: z
    .number()
    .int()
    .min(1, 'must be from 1 to 50')
    .max(50, 'must be from 1 to 50')
    .default(8)
    .openapi({ description: 'How many folders below `path` to look.' }),
});

export const openedRepository = z.object({
  encryption: z.string().openapi({ example: 'repokey-blake2' }),
  archive_count: count,
  newest_archive: timestamp.nullable(),
  oldest_archive: timestamp.nullable(),
  hostnames: z.array(z.string()).openapi({
    description: 'Who made the archives; at most ten.',
    example: ['nas'],
  }),
});

export const foundRepository = z.object({
  id: id.openapi({ description: 'For `after`.' }),
  path: z.string(),
  connection_id: id.nullable(),
  repository_id: z
    .string()
    .nullable()
    .openapi({
      description: "The backup tool's id. Null: it could not be read.",
      example: '9f3c'.repeat(16),
    }),
  key_in_repository: z.boolean().nullable().openapi({
    description:
      'False: it is not encrypted, or its key is in a key file. The exact encryption is known once it was opened.',
  }),
  last_modified: timestamp.nullable(),
  already_registered: id.nullable().openapi({ description: 'The registered repository at this place.' }),
  same_as: id.nullable().openapi({
    description: 'A registered repository with the same id at another place: this one is a copy of it.',
  }),
  broken: sentence.nullable().openapi({ description: 'Why it cannot be used; null if nothing is wrong.' }),
  opened: openedRepository.nullable(),
  open_error: sentence.nullable().openapi({ description: 'Why it did not open at the last attempt.' }),
});

export const discoveryView = z.object({
  success,
  job_id: id,
  status: jobStatus,
  path: z.string(),
  connection_id: id.nullable(),
  error_message: z.string().nullable(),
  error_code: z.string().nullable(),
  folders: count.openapi({ description: 'Folders that were read; 0 on a host that searches by itself.' }),
  unreadable: count.openapi({ description: 'Folders that could not be read.' }),
  truncated: z.boolean().openapi({
    description: 'A limit of folders, repositories or time was reached, so there may be more.',
  }),
  total: count,
  found: z.array(foundRepository),
  next_after: id.nullable().openapi({ description: 'Pass it as `after` for the next page.' }),
});

export const openInput = z.object({
  passphrase: passphrase.openapi({
    format: 'password',
    description: 'Tried on all that are neither broken, opened nor registered. Not stored.',
  }),
  passphrases: z
    .array(z.object({ path, passphrase, keyfile_content: keyfile }))
    .max(50, 'must have at most 50 entries')
    .optional()
    .openapi({ description: 'Opens just these, each with its own secret.' }),
  after: id.nullable().optional(),
  limit: z.number().int().min(1).max(50, 'must be at most 50').default(20),
});

export const openAnswer = z.object({
  success,
  message: z.string(),
  found: z.array(foundRepository).openapi({ description: 'Those that were tried, with the result.' }),
  opened_count: count,
  next_after: id.nullable().openapi({
    description: 'There are more to try: call again with the same passphrase and this as `after`.',
  }),
});

const manyRow = z.object({
  path: repositoryToImport.shape.path,
  connection_id: id.nullable().optional(),
  name: repositoryToImport.shape.name.optional().openapi({
    description: 'Without it, the name follows from the path.',
    example: 'nas',
  }),
  passphrase,
  keyfile_content: keyfile,
  remote_path: newRepository.shape.remote_path,
  mode: z.enum(['observe', 'full']).default('observe'),
  source_directories: repositoryToImport.shape.source_directories,
  exclude_patterns: repositoryToImport.shape.exclude_patterns,
});

export const importManyInput = z.object({
  repositories: z
    .array(manyRow)
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 entries')
    .openapi({ example: [{ path: '/srv/backups/nas' }] }),
  passphrase: passphrase.openapi({
    format: 'password',
    description: 'For all that have none of their own. Never returned.',
  }),
});

export const importedRow = z.object({
  path: z.string(),
  connection_id: id.nullable(),
  result: z.enum(['created', 'unchanged', 'failed']),
  repository_id: id.nullable(),
  name: z.string().nullable(),
  archive_count: count.nullable(),
  detail: z.string().nullable().openapi({ description: 'Why it failed.' }),
  code: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
});

export const importManyAnswer = z.object({
  success,
  message: z.string(),
  repositories: z.array(importedRow).openapi({ description: 'In the order of the request.' }),
  created_count: count,
  unchanged_count: count,
  failed_count: count,
});

export const keepSuggestion = {
  prune_keep_hourly: keepCount,
  prune_keep_daily: keepCount,
  prune_keep_weekly: keepCount,
  prune_keep_monthly: keepCount,
  prune_keep_yearly: keepCount,
};

const confidence = z.enum(['high', 'medium', 'low']);

export const suggestedSeries = z.object({
  prefix: z.string().openapi({ description: 'What the names of its archives begin with.', example: 'nas-' }),
  pattern: z.string().openapi({ description: 'For the adoption of its archives.', example: 'nas-*' }),
  hostname: z.string(),
  archive_count: count,
  newest_archive: timestamp,
  source_directories: z.array(z.string()),
  exclude_patterns: z.array(z.string()),
  compression: z.string().nullable(),
  custom_flags: z.string().nullable(),
  sources_confidence: confidence,
  rhythm: z
    .object({
      description: z.string().openapi({ example: 'about every day at 02:00' }),
      cron_expression: z.string().openapi({ example: '0 2 * * *' }),
      timezone,
      confidence,
      archives: count.openapi({ description: 'How many archives it was derived from.' }),
    })
    .nullable(),
  retention: z
    .object({
      ...keepSuggestion,
      description: z.string().openapi({ example: 'about 7 daily, 4 weekly' }),
      confidence,
    })
    .nullable()
    .openapi({ description: 'Counts that keep what is there. Null: nothing seems to have been removed.' }),
  remarks: z.array(sentence).openapi({ description: 'What cannot be taken over, or is uncertain.' }),
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

const keepRules = {
  prune_keep_hourly: keepCount.optional(),
  prune_keep_daily: keepCount.optional(),
  prune_keep_weekly: keepCount.optional(),
  prune_keep_monthly: keepCount.optional(),
  prune_keep_quarterly: keepCount.optional(),
  prune_keep_yearly: keepCount.optional(),
  prune_keep_within: keepWithin.nullable().optional(),
};

export const takeOverInput = z.object({
  old_scheduler_off: z.boolean().default(false).openapi({
    description: 'What made the archives until now no longer does. Required.',
    example: true,
  }),
  old_archives: z.enum(['adopt', 'leave', 'later']).openapi({
    description:
      '`adopt`: they fall under the retention of the schedule, which may remove them. `leave` and `later`: they ' +
      'stay; a schedule can adopt them later.',
  }),
  pattern: z.string().min(1).max(256, 'must have at most 256 characters').optional().openapi({
    description: 'Adopt only archives with such names; without it, all.',
    example: 'nas-*',
  }),
  source_directories: z
    .array(repositoryToImport.shape.source_directories.removeDefault().element)
    .min(1, 'must not be empty')
    .max(1000, 'must have at most 1000 entries'),
  exclude_patterns: repositoryToImport.shape.exclude_patterns,
  compression: repositoryToImport.shape.compression,
  custom_flags: repositoryToImport.shape.custom_flags,
  source_connection_id: id.nullable().optional(),
  schedule: z.object({
    name: repositoryToImport.shape.name,
    cron_expression: cron,
    timezone: timezone.default('UTC'),
    archive_name_template: z.string().max(200, 'must have at most 200 characters').nullable().optional(),
    run_prune_after: z.boolean().default(true),
    run_compact_after: z.boolean().default(true),
    ...keepRules,
  }),
});

export const takeOverAnswer = z.object({
  success,
  message: z.string(),
  repository: repositoryView,
  schedule_id: id,
  adopted_count: count,
  removed_next: count.openapi({ description: 'How many of the adopted the next prune removes.' }),
  warnings: z.array(z.string()).optional(),
});

export type DiscoverInput = z.infer<typeof discoverInput>;
export type FoundRepositoryView = z.infer<typeof foundRepository>;
export type OpenedRepository = z.infer<typeof openedRepository>;
export type DiscoveryView = z.infer<typeof discoveryView>;
export type OpenInput = z.infer<typeof openInput>;
export type OpenAnswer = z.infer<typeof openAnswer>;
export type ImportManyInput = z.infer<typeof importManyInput>;
export type ImportManyRow = z.infer<typeof manyRow>;
export type ImportedRow = z.infer<typeof importedRow>;
export type ImportManyAnswer = z.infer<typeof importManyAnswer>;
export type SuggestedSeries = z.infer<typeof suggestedSeries>;
export type SuggestionsAnswer = z.infer<typeof suggestionsAnswer>;
export type TakeOverInput = z.infer<typeof takeOverInput>;
export type TakeOverAnswer = z.infer<typeof takeOverAnswer>;
