import { z } from 'zod';
import { id, timestamp } from '../common.js';

const bytes = z.number().int().min(0);
const damaged = z.boolean().openapi({
  description: 'The last full check or repair told that files of it lost content. It does not protect.',
});
/** Beside a name or path in which each byte that isn't UTF-8 stands as the six characters `\udcXX`. */
const nameEscaped = z.literal(true).optional();

/** Sizes are known of archives that this service made; of others only their info tells. */
export const archiveView = z.object({
  /** The tool's own id. */
  id: z.string().openapi({ example: '8d5f3b0c'.repeat(8) }),
  name: z.string(),
  /** The same as `name`. */
  archive: z.string(),
  start: timestamp,
  /** The same as `start`. */
  time: timestamp,
  end: timestamp.nullable(),
  hostname: z.string(),
  username: z.string(),
  comment: z.string(),
  original_size: bytes.nullable(),
  compressed_size: bytes.nullable(),
  deduplicated_size: bytes.nullable(),
  nfiles: bytes.nullable(),
  damaged,
});

export const archiveList = z.object({
  success: z.literal(true),
  /** Newest last. */
  archives: z.array(archiveView),
  repository: z.object({ id, name: z.string(), path: z.string() }),
  /** When the tool's own list was read last; null when it never could be. */
  as_of: timestamp.nullable(),
});

export const archiveFileView = z.object({
  path: z.string(),
  name_escaped: nameEscaped,
  /** As `ls -l` shows it: `-` file, `d` directory, `l` symlink, others as there. */
  type: z.string().length(1),
  mode: z.string(),
  user: z.string(),
  group: z.string(),
  /** Of a further name of a hard-linked file: the size of the file. */
  size: bytes,
  mtime: timestamp,
  healthy: z.boolean(),
});

export const archiveInfo = z.object({
  name: z.string(),
  id: z.string(),
  start: timestamp,
  end: timestamp.nullable(),
  /** Seconds. */
  duration: z.number(),
  stats: z.object({ original_size: bytes, compressed_size: bytes, deduplicated_size: bytes, nfiles: bytes }),
  command_line: z.array(z.string()),
  hostname: z.string(),
  username: z.string(),
  chunker_params: z.array(z.union([z.string(), z.number()])),
  /** Fraction of the largest archive that the tool can make. */
  limits: z.object({ max_archive_size: z.number().nullable() }),
  comment: z.string(),
  /** `id` is the tool's own; `last_modified` the end of the newest archive. */
  repository: z.object({
    id: z.string().openapi({ example: '5a6d2e90'.repeat(8) }),
    last_modified: timestamp.nullable(),
    location: z.string(),
  }),
  encryption: z.object({ mode: z.string() }),
  /** Files in the whole archive. */
  file_count: bytes,
  damaged,
  /** With `include_files`: the first `file_limit` entries, in the order of the archive. */
  files: z.array(archiveFileView).optional(),
});

export const contentItem = z.object({
  name: z.string(),
  type: z.enum(['directory', 'file', 'symlink', 'other']),
  /** Of a directory the sum below it; of a hard-linked file that of the file. */
  size: bytes,
  /** Null for a directory that the archive only implies. */
  mtime: timestamp.nullable(),
  path: z.string(),
  name_escaped: nameEscaped,
  /** What a symlink points to. */
  symlink_target: z.string().optional(),
  /** The first name of a hard-linked file. */
  hard_link_target: z.string().optional(),
  /** False when the tool reports damage. */
  healthy: z.boolean(),
});

export const archiveContents = z.object({
  success: z.literal(true),
  /** Directories first, then by name. */
  items: z.array(contentItem),
  /** Entries of the directory, whatever `limit` and `offset` are. */
  total: z.number().int(),
  path: z.string(),
  name_escaped: nameEscaped,
});

export const listingState = z.object({
  success: z.literal(true),
  archive: z.string(),
  state: z.enum(['cached', 'building', 'absent']).openapi({
    description:
      '`cached`: a browse is answered at once. `building`: somebody waits for it now, on this instance. ' +
      '`absent`: the next browse builds it; after `building` this means that all who waited have gone, or that it failed.',
  }),
  started_at: timestamp.nullable(),
  entries: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'What the tool has told so far, while building.' }),
  percent: z.number().int().min(0).max(100).nullable().openapi({
    description: 'Of the entries expected; 100 when cached, null where it is not known how many there are.',
  }),
  expected_files: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Files of the archive, where the backup was made here.' }),
});

export const archiveSearch = z.object({
  success: z.literal(true),
  items: z.array(contentItem),
  truncated: z.boolean().openapi({
    description:
      'There is more: ask again with a larger `offset`; or the search took too long, and a simpler one finds more.',
  }),
});

const version = z.object({
  type: contentItem.shape.type,
  size: z.number().int(),
  mtime: timestamp.nullable(),
});

export const repositorySearch = z.object({
  success: z.literal(true),
  /** Each path once. */
  items: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      name_escaped: nameEscaped,
      versions: z.array(version.extend({ archives: z.array(z.string()) })),
    }),
  ),
  truncated: z
    .boolean()
    .openapi({ description: 'More paths than `limit` match, or the search took too long.' }),
  not_searched: z.array(z.string()).openapi({
    description:
      'With `cached_only`: archives whose listing is not in the cache. Also those that a search which took too long did not look through to the end.',
  }),
});

export const pathHistory = z.object({
  success: z.literal(true),
  path: z.string(),
  name_escaped: nameEscaped,
  /** How many archives were looked at. */
  archives: z.number().int(),
  /** Oldest first; archives in which it is as before are left out. */
  history: z.array(
    version.partial().extend({
      state: z.enum(['appeared', 'changed', 'vanished']),
      archive: z.string(),
      archive_id: z.string(),
      start: timestamp,
    }),
  ),
});

export const archiveComparison = z.object({
  success: z.literal(true),
  archive: z.string(),
  with: z.string(),
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  items: z.array(
    z.object({
      path: z.string(),
      name_escaped: nameEscaped,
      change: z.enum(['added', 'removed', 'changed']),
      type: contentItem.shape.type,
      before: version.nullable(),
      after: version.nullable(),
    }),
  ),
  truncated: z.boolean().openapi({ description: 'There is more: ask again with a larger `offset`.' }),
});

export const deleteJobStatus = z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']);

export const deleteJobView = z.object({
  id,
  repository_id: id.nullable(),
  archive_name: z.string(),
  status: deleteJobStatus,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  /** Percent: 0, 50 once it runs, 100 when the archive is gone. */
  progress: z.number().int().min(0).max(100),
  progress_message: z.string().nullable(),
  /** Why it failed; in a completed job a warning. */
  error_message: z.string().nullable(),
  /** The last lines of the tool. */
  logs: z.string().nullable(),
  has_logs: z.boolean(),
});

export type ArchiveView = z.infer<typeof archiveView>;
export type ArchiveList = z.infer<typeof archiveList>;
export type ArchiveFileView = z.infer<typeof archiveFileView>;
export type ArchiveInfo = z.infer<typeof archiveInfo>;
export type ContentItem = z.infer<typeof contentItem>;
export type ArchiveContents = z.infer<typeof archiveContents>;
export type ListingState = z.infer<typeof listingState>;
export type ArchiveSearch = z.infer<typeof archiveSearch>;
export type RepositorySearch = z.infer<typeof repositorySearch>;
export type PathHistory = z.infer<typeof pathHistory>;
export type ArchiveComparison = z.infer<typeof archiveComparison>;
export type DeleteJobView = z.infer<typeof deleteJobView>;
