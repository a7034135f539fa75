import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import * as field from './fields.js';
import { calendarDay } from './history.js';
import { errorCode } from './sentence.js';
import { sourceKind, sourceName } from './source.js';
import { wellFormed } from './text-line.js';

const bytes = z.number().int().min(0);
const sizes = {
  original_size: bytes.openapi({ example: 1_706_203 }),
  compressed_size: bytes.openapi({ example: 1_204_117 }),
  deduplicated_size: bytes.openapi({ example: 40_231 }),
  nfiles: bytes.openapi({ example: 1042 }),
};
const comment = z.string().openapi({ example: '' });
const damaged = z.boolean().openapi({
  description:
    'The last full check or repair found that files in this archive lost content. It does not count as ' +
    'protection.',
});
/**
 * Set when the name or path next to it contains bytes that aren't UTF-8; each is shown as the six characters
 * `\udcXX`.
 */
const nameEscaped = z.literal(true).optional();

/** Why an archive is kept, regardless of retention. */
export const pinned = z.object({
  reason: z.string().openapi({ example: 'before the move to the new server' }),
  until: timestamp.nullable().openapi({ example: null, description: 'When the pin ends. Null: never.' }),
  by: z.string().openapi({ description: 'The user who pinned it.', example: 'ann' }),
  since: timestamp,
});
const pinnedOrNot = pinned.nullable().openapi({
  example: null,
  description: 'No prune removes a pinned archive, and it cannot be deleted. Null: it is not pinned.',
});

export const pinReason = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line without control characters')
  .refine(wellFormed, 'must be well-formed Unicode');

export const pinInput = z.object({
  repository: z.string().min(1).max(4096).optional().openapi({
    description: 'Path of the repository, as registered. Or give `repository_id`.',
    example: '/backups/home',
  }),
  repository_id: id.optional(),
  reason: pinReason.openapi({ description: 'One line.', example: 'before the move to the new server' }),
  until: z
    .string()
    .datetime({ offset: true })
    .nullable()
    .optional()
    .openapi({ example: '2099-03-01T00:00:00Z', description: 'When the pin ends. Null or absent: never.' }),
});

export const pinAnswer = z.object({
  success: z.literal(true),
  message,
  archive: field.archiveName,
  archive_id: field.archiveId,
  pinned: pinnedOrNot,
});

/** Sizes of archives that something else made are null until the service has read them in the background. */
export const archiveView = z.object({
  id: field.archiveId,
  name: field.archiveName,
  /** The same as `name`. */
  archive: field.archiveName,
  start: timestamp,
  /** The same as `start`. */
  time: timestamp,
  end: timestamp.nullable(),
  hostname: field.hostname,
  username: field.accountName,
  comment,
  original_size: sizes.original_size.nullable(),
  compressed_size: sizes.compressed_size.nullable(),
  deduplicated_size: sizes.deduplicated_size.nullable().openapi({
    description:
      'Size of the data that only this archive had when it was created, or when its sizes were read later.',
  }),
  added_size: bytes.nullable().openapi({
    description: 'Size that it added to the repository. Null unless Holdfast created the archive.',
  }),
  nfiles: sizes.nfiles.nullable(),
  sources: z
    .array(z.object({ kind: sourceKind, name: sourceName }))
    .nullable()
    .openapi({
      description:
        'Databases and containers that were prepared for it. Null: not known, because something else made it.',
    }),
  damaged,
  unsigned: z.boolean().openapi({
    description: 'It has no valid signature: Borg 1.2.5 and later refuse it. See `sign-archives`.',
  }),
  made_by: z.enum(['schedule', 'manual', 'external']).openapi({
    description: '`manual`: a backup that a user started. `external`: not by Holdfast.',
  }),
  schedule_id: id.nullable().openapi({
    description: 'The schedule whose retention applies to it: the one that created or adopted it.',
  }),
  adopted: z.boolean(),
  kept_by: z
    .string()
    .nullable()
    .openapi({
      description:
        'The rule with which this schedule keeps it now. Null: no schedule prunes it, or the next prune ' +
        'removes it.',
      example: 'daily #3',
    }),
  pinned: pinnedOrNot,
});

export const archiveList = z.object({
  success: z.literal(true),
  /** Newest last. */
  archives: z.array(archiveView),
  repository: z.object({ id, name: field.repositoryName, path: field.repositoryPath }),
  /** When the list was last read from the repository. Null: never so far. */
  as_of: timestamp.nullable(),
  next_before: z.string().nullable().optional().openapi({
    description: 'With `limit`: pass it as `before` to get older archives. Null at the end.',
    example: '1772330400000-42',
  }),
});

export const archiveDays = z.object({
  success: z.literal(true),
  repository_id: id,
  timezone: field.zoneName,
  /** When the list was last read from the repository. Null: never so far. */
  as_of: timestamp.nullable(),
  archives: z.number().int().openapi({ description: 'Sum of all days.', example: 31 }),
  days: z
    .array(
      z.object({
        day: calendarDay,
        archives: z.number().int().openapi({ example: 1 }),
        original_bytes: bytes.nullable().openapi({
          description: 'Of the archives whose size is known. Null: of none.',
          example: 1_706_203,
        }),
        added_bytes: bytes.nullable().openapi({
          description: 'Size that those added to the repository. Null: of none it is known.',
          example: 40_231,
        }),
      }),
    )
    .openapi({ description: 'Oldest first.' }),
});

export const archiveFileView = z.object({
  path: z.string(),
  name_escaped: nameEscaped,
  /** As in `ls -l`: `-` file, `d` directory, `l` symlink, and so on. */
  type: z.string().length(1),
  mode: z.string(),
  user: z.string(),
  group: z.string(),
  /** For additional names of a hard-linked file: the size of the file. */
  size: bytes,
  mtime: timestamp,
  healthy: z.boolean(),
});

export const archiveInfo = z.object({
  name: field.archiveName,
  id: field.archiveId,
  start: timestamp,
  end: timestamp.nullable(),
  /** Seconds. */
  duration: z.number().openapi({ example: 12.4 }),
  stats: z.object(sizes),
  command_line: z
    .array(z.string())
    .openapi({ example: ['borg', 'create', '/backups/home::nas-home-2026-03-01T02:00:00', '/home'] }),
  hostname: field.hostname,
  username: field.accountName,
  chunker_params: z
    .array(z.union([z.string(), z.number()]))
    .openapi({ example: ['buzhash', 19, 23, 21, 4095] }),
  /** Size as a fraction of the largest archive that the tool can create. */
  limits: z.object({ max_archive_size: z.number().nullable().openapi({ example: 0.001 }) }),
  comment,
  /** `id`: the backup tool's id. `last_modified`: when the newest archive ended. */
  repository: z.object({
    id: z.string().openapi({ example: '5a6d2e90'.repeat(8) }),
    last_modified: timestamp.nullable(),
    location: field.repositoryPath,
  }),
  encryption: z.object({ mode: z.string().openapi({ example: 'repokey-blake2' }) }),
  /** Number of files in the whole archive. */
  file_count: bytes,
  damaged,
  pinned: pinnedOrNot,
  /** With `include_files`: the first `file_limit` entries, in archive order. */
  files: z.array(archiveFileView).optional(),
});

export const contentItem = z.object({
  name: z.string().openapi({ example: 'march.txt' }),
  type: z.enum(['directory', 'file', 'symlink', 'other']).openapi({ example: 'file' }),
  /** For a directory, the total of its contents. For a hard-linked file, the size of the file. */
  size: bytes.openapi({ example: 1637 }),
  /** Null for a directory that has no entry of its own in the archive. */
  mtime: timestamp.nullable(),
  path: field.filePath,
  name_escaped: nameEscaped,
  /** Target of a symlink. */
  symlink_target: z.string().optional(),
  /** The first name of a hard-linked file. */
  hard_link_target: z.string().optional(),
  /** False when the tool reports damage. */
  healthy: z.boolean().openapi({ example: true }),
});

export const archiveContents = z.object({
  success: z.literal(true),
  /** Directories first, then by name. */
  items: z.array(contentItem),
  /** Number of entries in the directory, regardless of `limit` and `offset`. */
  total: z.number().int(),
  path: z.string().openapi({ example: 'home/ann/letters' }),
  name_escaped: nameEscaped,
});

export const listingState = z.object({
  success: z.literal(true),
  archive: field.archiveName,
  state: z.enum(['cached', 'building', 'absent']).openapi({
    description:
      '`cached`: browsing responds immediately. `building`: a request on this instance is waiting for it. ' +
      '`absent`: the next browse builds it. After `building` this means that the build failed, or that every ' +
      'waiting client disconnected.',
  }),
  started_at: timestamp.nullable(),
  entries: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Entries read so far, while building.', example: 1042 }),
  percent: z.number().int().min(0).max(100).nullable().openapi({
    description: 'Share of the expected entries; 100 when cached. Null when the expected number is unknown.',
  }),
  expected_files: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Number of files in the archive, if Holdfast created it.' }),
});

export const archiveSearch = z.object({
  success: z.literal(true),
  items: z.array(contentItem),
  truncated: z.boolean().openapi({
    description:
      'There are more results: request them with a larger `offset`. Or the search timed out: use a simpler ' +
      'query.',
  }),
});

const version = z.object({
  type: contentItem.shape.type,
  size: z.number().int().openapi({ description: 'Bytes; 0 for a directory.', example: 1637 }),
  mtime: timestamp.nullable(),
});

export const repositorySearch = z.object({
  success: z.literal(true),
  /** Each path once. */
  items: z.array(
    z.object({
      name: contentItem.shape.name,
      path: field.filePath,
      name_escaped: nameEscaped,
      versions: z.array(version.extend({ archives: z.array(field.archiveName) })),
    }),
  ),
  truncated: z.boolean().openapi({ description: 'More than `limit` paths match, or the search timed out.' }),
  next: z.number().int().nullable().openapi({
    description: 'Pass it as `cursor` to get more paths from indexed archives. Null at the end.',
    example: null,
  }),
  not_searched: z.array(z.string()).openapi({
    description:
      'With `cached_only`, `cursor` or `deleted`: archives that are neither indexed nor, with `cached_only` alone, ' +
      'cached. Also archives that were not fully searched because the search timed out.',
    example: [],
  }),
});

export const searchEverywhere = z.object({
  success: z.literal(true),
  repositories: z
    .array(
      repositorySearch.omit({ success: true }).extend({
        repository_id: id,
        repository_name: field.repositoryName,
        archives: z.array(z.object({ name: field.archiveName, start: timestamp })).openapi({
          description: 'Start times of the archives that match or were not searched.',
        }),
      }),
    )
    .openapi({ description: 'Only repositories with matches, or with archives that were not searched.' }),
});

export const pathHistory = z.object({
  success: z.literal(true),
  path: field.filePath,
  name_escaped: nameEscaped,
  /** Number of archives examined. */
  archives: z.number().int(),
  /** Oldest first. Archives in which the path did not change are left out. */
  history: z.array(
    version.partial().extend({
      state: z.enum(['appeared', 'changed', 'vanished']),
      archive: field.archiveName,
      archive_id: field.archiveId,
      start: timestamp,
    }),
  ),
});

const pathOfFile = { path: field.filePath, name_escaped: nameEscaped };

export const lostFiles = z
  .object({
    files: z.number().int().openapi({ example: 12 }),
    bytes: bytes.openapi({ description: 'Of their newest versions.', example: 48_211 }),
    largest: z
      .array(z.object({ ...pathOfFile, size: bytes, archive: field.archiveName }))
      .openapi({ description: 'At most 20, each with the newest archive that has it.' }),
    folders: z
      .array(z.object({ ...pathOfFile, files: z.number().int().openapi({ example: 12 }), bytes }))
      .openapi({ description: 'Of the first level at which they divide; at most 20.' }),
    not_indexed: z.number().int().openapi({
      description:
        'Archives of the repository that are not indexed yet. With some, more or fewer files may be lost.',
      example: 0,
    }),
  })
  .openapi({ description: 'Files of which no other archive has any version.' });

export const lostAnswer = z.object({
  success: z.literal(true),
  archive: field.archiveName,
  lost: lostFiles.nullable().openapi({ description: 'Null without an index (see INDEX_MAX_MB).' }),
});

const indexedArchive = z.object({ archive: field.archiveName, start: timestamp });

export const folderGrowth = z.object({
  success: z.literal(true),
  from: indexedArchive,
  to: indexedArchive,
  path: z.string().openapi({ example: 'home/ann' }),
  name_escaped: nameEscaped,
  folders: z
    .array(
      z.object({
        ...pathOfFile,
        bytes: z.number().int().openapi({ description: 'After minus before.', example: -1637 }),
        files: z.number().int().openapi({ description: 'After minus before.', example: 3 }),
      }),
    )
    .openapi({
      description: 'The largest change first. Files directly in `path` are listed under `path` itself.',
    }),
  complete: z.boolean().openapi({ description: 'False: folders with smaller changes are left out.' }),
  not_indexed: z.number().int().openapi({ description: 'Archives that are not indexed yet.', example: 0 }),
});

export const indexState = z.object({
  success: z.literal(true),
  repository_id: id,
  enabled: z.boolean(),
  archives: z.number().int().openapi({ example: 31 }),
  indexed_archives: z.number().int().openapi({ example: 31 }),
  bytes: bytes.openapi({ description: 'Size on disk of the index of this repository.' }),
  total_bytes: bytes.openapi({ description: 'Of all repositories.' }),
  max_bytes: bytes.openapi({ description: 'The limit of all, INDEX_MAX_MB.', example: 2_147_483_648 }),
});

export const archiveComparison = z.object({
  success: z.literal(true),
  archive: field.archiveName,
  with: z.string().openapi({ example: 'nas-home-2026-03-02T02:00:00' }),
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  items: z.array(
    z.object({
      path: field.filePath,
      name_escaped: nameEscaped,
      change: z.enum(['added', 'removed', 'changed']),
      type: contentItem.shape.type,
      before: version.nullable(),
      after: version.nullable(),
    }),
  ),
  truncated: z
    .boolean()
    .openapi({ description: 'There are more results: request them with a larger `offset`.' }),
});

export const deleteJobStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'cancelled'])
  .openapi({ example: 'completed' });

export const deleteJobView = z.object({
  id,
  repository_id: field.repositoryId,
  archive_name: field.archiveName,
  status: deleteJobStatus,
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  /** Percent: 0 while pending, 50 while running, 100 when the archive is deleted. */
  progress: field.progress,
  progress_message: z.string().nullable(),
  /** Why it failed; a warning if the job completed. */
  error_message: z.string().nullable(),
  ...errorCode,
  /** The last lines of the backup tool's output. */
  logs: z.string().nullable(),
  has_logs: field.hasLogs,
});

export type ArchiveView = z.infer<typeof archiveView>;
export type Pinned = z.infer<typeof pinned>;
export type PinInput = z.infer<typeof pinInput>;
export type PinAnswer = z.infer<typeof pinAnswer>;
export type ArchiveList = z.infer<typeof archiveList>;
export type ArchiveDays = z.infer<typeof archiveDays>;
export type ArchiveFileView = z.infer<typeof archiveFileView>;
export type ArchiveInfo = z.infer<typeof archiveInfo>;
export type ContentItem = z.infer<typeof contentItem>;
export type ArchiveContents = z.infer<typeof archiveContents>;
export type ListingState = z.infer<typeof listingState>;
export type ArchiveSearch = z.infer<typeof archiveSearch>;
export type RepositorySearch = z.infer<typeof repositorySearch>;
export type SearchEverywhere = z.infer<typeof searchEverywhere>;
export type PathHistory = z.infer<typeof pathHistory>;
export type LostFiles = z.infer<typeof lostFiles>;
export type FolderGrowth = z.infer<typeof folderGrowth>;
export type IndexState = z.infer<typeof indexState>;
export type ArchiveComparison = z.infer<typeof archiveComparison>;
export type DeleteJobView = z.infer<typeof deleteJobView>;
