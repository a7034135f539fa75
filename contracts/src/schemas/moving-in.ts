import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import * as field from './fields.js';
import { jobStatus } from './job.js';
import { sentence } from './overview.js';
import { newRepository, repositoryToImport } from './repository.js';
import { errorCode, sentenceParams } from './sentence.js';

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
        'The folder to search. With `connection_id`: on that host, absolute or relative to its home folder ' +
        'with a leading `./`. Default: the default path of the connection.',
      example: '/srv/backups',
    }),
  connection_id: id.nullable().optional().openapi({ description: 'Searches this host.' }),
  depth: z
    .number()
    .int()
    .min(1, 'must be from 1 to 50')
    .max(50, 'must be from 1 to 50')
    .default(8)
    .openapi({ description: 'Depth of the search below `path`.' }),
});

export const openedRepository = z.object({
  encryption: z.string().openapi({ example: 'repokey-blake2' }),
  archive_count: count.openapi({ example: 31 }),
  newest_archive: timestamp.nullable(),
  oldest_archive: timestamp.nullable(),
  hostnames: z.array(z.string()).openapi({
    description: 'Where the archives came from; at most ten.',
    example: ['nas'],
  }),
});

export const foundRepository = z.object({
  id: id.openapi({ description: 'Pass it as `after`.' }),
  path: field.repositoryPath,
  connection_id: id.nullable(),
  repository_id: z
    .string()
    .nullable()
    .openapi({
      description: 'The Borg id. Null: it could not be read.',
      example: '9f3c'.repeat(16),
    }),
  key_in_repository: z
    .boolean()
    .nullable()
    .openapi({
      description:
        'False: it is not encrypted, or its key is in a key file. The exact encryption is known after it has ' +
        'been opened.',
    }),
  last_modified: timestamp.nullable(),
  already_registered: id.nullable().openapi({ description: 'The registered repository at this location.' }),
  same_as: id.nullable().openapi({
    description: 'A registered repository with the same id at another location: this one is a copy of it.',
  }),
  broken: sentence.nullable().openapi({ description: 'Why it cannot be used; null if nothing is wrong.' }),
  opened: openedRepository.nullable(),
  open_error: sentence.nullable().openapi({ description: 'Why it could not be opened at the last attempt.' }),
});

export const discoveryView = z.object({
  success,
  job_id: id,
  status: jobStatus,
  path: z.string().openapi({ example: '/backups' }),
  connection_id: id.nullable(),
  error_message: z.string().nullable(),
  ...errorCode,
  folders: count.openapi({ description: 'Number of folders read; 0 on a host, which searches on its own.' }),
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
    description: 'Tried on all that are not broken, opened or registered. Not stored.',
  }),
  passphrases: z
    .array(z.object({ path, passphrase, keyfile_content: keyfile }))
    .max(50, 'must have at most 50 entries')
    .optional()
    .openapi({ description: 'Opens only these, each with its own secret.' }),
  after: id.nullable().optional(),
  limit: z.number().int().min(1).max(50, 'must be at most 50').default(20),
});

export const openAnswer = z.object({
  success,
  message,
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
    description: 'Default: derived from the path.',
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
    description: 'For all repositories without their own. Never returned.',
  }),
});

export const importedRow = z.object({
  path: field.repositoryPath,
  connection_id: id.nullable(),
  result: z.enum(['created', 'unchanged', 'failed']),
  repository_id: field.repositoryId,
  name: field.repositoryName.nullable(),
  archive_count: count.nullable().openapi({ example: 31 }),
  detail: z.string().nullable().openapi({ description: 'Why it failed.' }),
  code: z.string().nullable(),
  params: sentenceParams,
  warnings: z.array(z.string()).optional(),
});

export const importManyAnswer = z.object({
  success,
  message,
  repositories: z.array(importedRow).openapi({ description: 'In the order of the request.' }),
  created_count: count,
  unchanged_count: count,
  failed_count: count,
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
