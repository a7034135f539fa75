import { z } from 'zod';
import { id, message, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { excludePatterns, sourceDirectories } from './repository.js';
import { sources } from './source.js';

const connection = id
  .nullable()
  .optional()
  .openapi({ description: 'SSH connection to the host of the directories. None: this server.' });
const parallel = z.boolean().openapi({
  description: 'Backups of repositories with this set may run at the same time.',
});

export const newSourceSet = z.object({
  name: nameText.openapi({ example: 'Documents' }),
  source_directories: sourceDirectories.default([]),
  exclude_patterns: excludePatterns.default([]),
  sources: sources.default([]),
  source_connection_id: connection,
  allow_parallel: parallel.default(false),
});

/** Absent fields are not changed. */
export const sourceSetChanges = z
  .object({
    name: nameText.optional(),
    source_directories: sourceDirectories.optional(),
    exclude_patterns: excludePatterns.optional(),
    sources: sources.optional(),
    source_connection_id: connection,
    allow_parallel: parallel.optional(),
  })
  .openapi({ example: { exclude_patterns: ['*.tmp', '/home/*/.cache'] } });

export const sourceSetView = z.object({
  id,
  name: z.string().openapi({ example: 'Documents' }),
  source_directories: z.array(z.string()).openapi({ example: ['/home'] }),
  exclude_patterns: z.array(z.string()).openapi({ example: ['*.tmp'] }),
  sources,
  source_connection_id: id.nullable(),
  allow_parallel: z.boolean(),
  repositories: z
    .array(z.object({ id, name: field.repositoryName }))
    .openapi({ description: 'The repositories that use it.' }),
  created_at: timestamp,
  updated_at: timestamp,
});

/** `warnings`: remarks about the directories, such as one that does not exist. */
export const sourceSetWritten = z.object({
  success: z.literal(true),
  message,
  source_set: sourceSetView,
  warnings: z.array(z.string()).optional(),
});

export type NewSourceSet = z.infer<typeof newSourceSet>;
export type SourceSetChanges = z.infer<typeof sourceSetChanges>;
export type SourceSetView = z.infer<typeof sourceSetView>;
export type SourceSetWritten = z.infer<typeof sourceSetWritten>;
