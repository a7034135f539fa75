import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type { RepositoryRow, StoredSource } from '../../engine/registry/index.js';

export type ArchivedSource = Pick<StoredSource, 'kind' | 'name'>;

export * from '../../engine/registry/index.js';

/**
 * The archive inventory: the last list from the tool. Sizes are set only when an operation of this service determined
 * them.
 */
export const archives = entity(
  'archive',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    tool_id: col.text().required(),
    name: col.text().required(),
    start: col.timestamp.required(),
    end: col.timestamp.nullable(),
    hostname: col.text().required(),
    username: col.text().required(),
    comment: col.text().required(),
    original_size: col.integer.nullable(),
    compressed_size: col.integer.nullable(),
    deduplicated_size: col.integer.nullable(),
    files: col.integer.nullable(),
    seen_at: col.timestamp.required(),
    /** The job that made the archive, as recorded by the job; null for external archives. */
    job_id: col.integer.nullable(),
    /** The schedule whose retention it falls under. */
    schedule_id: col.integer.nullable(),
    /** Sources of the repository that are missing or incomplete in it; null when not known. */
    lacking: col.json<string[]>().nullable(),
    /** Paths in the sources that could not be read when it was made, the first of them; null when not known. */
    unread: col.json<string[]>().nullable(),
    /** Databases and containers that were prepared for it; null when not known. */
    sources: col.json<ArchivedSource[]>().nullable(),
    /** The archive has no files or lacks sources, so it does not count as protection. */
    partial: col.boolean.default(false),
    /** The tool reported that some of its files can no longer be read completely. */
    damaged: col.boolean.default(false),
    /** It lacks a valid signature; null when the tool can't tell. */
    unsigned: col.boolean.nullable(),
    /** Set when `schedule_id` is the schedule that adopted it; the one that made it, if any, stands beside. */
    adopted_at: col.timestamp.nullable(),
    former_schedule_id: col.integer.nullable(),
    /** When its sizes were read from the tool, for external archives; null when a job recorded them. */
    measured_at: col.timestamp.nullable(),
    /** How often reading its sizes failed. */
    measure_failures: col.integer.default(0),
  },
  {
    unique: [['repository_id', 'name']],
    indexes: [
      ['repository_id', 'start'],
      ['schedule_id', 'repository_id', 'start'],
      ['original_size', 'measure_failures'],
      // External archives, and damaged ones, of a time.
      ['job_id', 'start'],
      ['damaged', 'start'],
    ],
  },
);

/**
 * Archives that no prune removes. By ids of the tool, so that a pin outlives the registration of its repository and
 * counts for each registration of it.
 */
export const pins = entity(
  'pin',
  {
    id: col.id(),
    repository_tool_id: col.text().required(),
    archive_tool_id: col.text().required(),
    reason: col.text().required(),
    /** When it ends; null: never. */
    until: col.timestamp.nullable(),
    created_by: col.text().required(),
    created_at: col.timestamp.required(),
  },
  { unique: [['repository_tool_id', 'archive_tool_id']], indexes: [['until']] },
);

export type PinRow = RowOf<typeof pins>;

/** Columns that callers set, and that answers show as they are stored. */
export const shownSettings = [
  'compression',
  'source_directories',
  'exclude_patterns',
  'sources',
  'source_set_id',
  'remote_path',
  'pre_backup_script',
  'post_backup_script',
  'hook_timeout',
  'pre_hook_timeout',
  'post_hook_timeout',
  'continue_on_hook_failure',
  'mode',
  'bypass_lock',
  'custom_flags',
  'freshness_hours',
  'shrink_warning_percent',
  'mass_change_percent',
  'mass_change_files',
  'left_out',
  'tags',
] as const satisfies readonly (keyof RepositoryRow)[];

export type ArchiveRow = RowOf<typeof archives>;

/**
 * Repositories that are being created, from before the tool starts until they are registered. Only a path without a
 * repository gets a row, so what is found there after the process died was created by that process.
 */
export const repositoryMakings = entity(
  'repository_making',
  {
    id: col.id(),
    path: col.text().required(),
    /** The uid of the repository. */
    uid: col.text().required(),
    /** Renewed while the process that creates it is alive. */
    lease_until: col.timestamp.required(),
    /** Raised each time a process takes over. */
    fence: col.integer.default(0),
  },
  { unique: [['path']], indexes: [['lease_until']] },
);

export type RepositoryMakingRow = RowOf<typeof repositoryMakings>;
