import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { Encryption } from '@holdfast/plugin-api/driver';
import type { OpenErrorKind } from './repository.rules.js';

/** What a registration was linked to when it was removed. */
export interface FormerLinks {
  /** `disabled`: it was the only repository of the schedule, which was enabled. */
  schedules: { id: number; uid: string | null; position: number; disabled: boolean }[];
  /** The only repository of the setting, or one of several. */
  notifications: { id: number; only: boolean }[];
  checkSchedule: Record<string, unknown> | null;
  /** Absent in rows from before there were drills. */
  drillSchedule?: Record<string, unknown> | null;
  drillStanding?: Record<string, unknown> | null;
  pauses: Record<string, unknown>[];
  figures: Record<string, unknown> | null;
}

export const repositories = entity(
  'repository',
  {
    id: col.id(),
    /** Name of the private folder of the tool for this repository. */
    uid: col.text().required(),
    /** The id that the tool gives the repository. */
    tool_id: col.text().required(),
    name: col.text().required(),
    path: col.text().required(),
    encryption: col.text<Encryption>().required(),
    compression: col.text().required(),
    passphrase: sealed('passphrase:{uid}', col.text().nullable()),
    key_file: sealed('keyfile:{uid}', col.text().nullable()),
    source_directories: col.json<string[]>().required(),
    exclude_patterns: col.json<string[]>().required(),
    connection_id: col.integer.nullable(),
    source_connection_id: col.integer.nullable(),
    /** Its values are copied into `source_directories`, `exclude_patterns` and `source_connection_id`. */
    source_set_id: col.integer.nullable(),
    remote_path: col.text().nullable(),
    pre_backup_script: col.text().nullable(),
    post_backup_script: col.text().nullable(),
    hook_timeout: col.integer.default(300),
    pre_hook_timeout: col.integer.default(300),
    post_hook_timeout: col.integer.default(300),
    continue_on_hook_failure: col.boolean.default(false),
    mode: col.text<'full' | 'observe'>().required(),
    bypass_lock: col.boolean.default(false),
    custom_flags: col.text().nullable(),
    /** How old the newest archive may be, in hours; null: derived from the schedules. */
    freshness_hours: col.integer.nullable(),
    /** Warn when a backup is smaller than the last complete one by more than this percentage; 0: never. */
    shrink_warning_percent: col.integer.default(90),
    /** What was backed up before it was taken over here, and is not: by name. Null: nothing. */
    left_out: col.json<string[]>().nullable(),
    last_backup: col.timestamp.nullable(),
    last_check: col.timestamp.nullable(),
    last_compact: col.timestamp.nullable(),
    /** Bytes on disk (compressed, deduplicated); null until first known. */
    stored_size: col.integer.nullable(),
    archive_count: col.integer.default(0),
    /** When the archive rows were last updated from the list of the tool. */
    inventory_at: col.timestamp.nullable(),
    /** Number of unfinished archives in the last list; null when not known yet. */
    unfinished_archives: col.integer.nullable(),
    /** Interrupted backups may have left unfinished archives that were not removed yet. */
    sweep_due: col.boolean.default(true),
    /** Cached listings with another epoch are void. */
    cache_epoch: col.integer.default(0),
    /** It holds the copies of this service itself. */
    own_backup: col.boolean.default(false),
    /** It holds copies of this service or another one, or did: with their secret keys. */
    admin_only: col.boolean.default(false),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
    /**
     * When its registration was removed; null while it is registered. The storage hides the row then: see
     * `removed-repositories.ts`.
     */
    removed_at: col.timestamp.nullable(),
    /** What to link again when the same repository is imported. */
    former: col.json<FormerLinks>().nullable(),
    /** Why the tool could not open it at the last attempt, and since when; null when it could. */
    open_error: col.text().nullable(),
    open_error_kind: col.text<OpenErrorKind>().nullable(),
    open_error_at: col.timestamp.nullable(),
    /** The last compact found that it keeps what is deleted. */
    append_only: col.boolean.default(false),
    /** How many of its archives are known to lack a valid signature. */
    unsigned_archives: col.integer.default(0),
    /** When its passphrase, key file or identity was last replaced; null: never. */
    credentials_at: col.timestamp.nullable(),
    /** Bytes where a repository on this machine lies, as of `place_at`; null until known. */
    place_free: col.integer.nullable(),
    place_total: col.integer.nullable(),
    place_at: col.timestamp.nullable(),
  },
  { unique: [['name'], ['path'], ['uid']], indexes: [['source_set_id'], ['tool_id']] },
);

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
    /** The job that made the archive, as recorded by the job; null for archives made elsewhere. */
    job_id: col.integer.nullable(),
    /** The schedule whose retention it falls under. */
    schedule_id: col.integer.nullable(),
    /** Sources of the repository that are missing or incomplete in it; null when not known. */
    lacking: col.json<string[]>().nullable(),
    /** Paths in the sources that could not be read when it was made, the first of them; null when not known. */
    unread: col.json<string[]>().nullable(),
    /** The archive has no files or lacks sources, so it does not count as protection. */
    partial: col.boolean.default(false),
    /** The tool reported that some of its files can no longer be read completely. */
    damaged: col.boolean.default(false),
    /** It lacks a valid signature; null when the tool can't tell. */
    unsigned: col.boolean.nullable(),
    /** Set when `schedule_id` is the schedule that adopted it; the one that made it, if any, stands beside. */
    adopted_at: col.timestamp.nullable(),
    former_schedule_id: col.integer.nullable(),
    /** When its sizes were read from the tool, for archives made elsewhere; null when a job recorded them. */
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
      // Archives made elsewhere, and damaged ones, of a time.
      ['job_id', 'start'],
      ['damaged', 'start'],
    ],
  },
);

export type RepositoryRow = RowOf<typeof repositories>;

/** Columns that callers set, and that answers show as they are stored. */
export const shownSettings = [
  'compression',
  'source_directories',
  'exclude_patterns',
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
  'left_out',
] as const satisfies readonly (keyof RepositoryRow)[];

/** Sources that several repositories back up. Its values are copied into the rows of those repositories. */
export const sourceSets = entity(
  'source_set',
  {
    id: col.id(),
    name: col.text().required(),
    source_directories: col.json<string[]>().required(),
    exclude_patterns: col.json<string[]>().required(),
    source_connection_id: col.integer.nullable(),
    allow_parallel: col.boolean.default(false),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name']] },
);

export type SourceSetRow = RowOf<typeof sourceSets>;

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
