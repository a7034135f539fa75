import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { DriverErrorKind, Encryption } from '@holdfast/plugin-api/driver';

/** One source of a repository or source set. Secrets in `settings` are sealed, bound to `uid`. */
export interface StoredSource {
  uid: string;
  /** The id of the plugin. */
  kind: string;
  name: string;
  /** The container where its programs run; null: the host. */
  container: string | null;
  settings: Record<string, string | { sealed: string }>;
}

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

/** A backup that changed or removed most files, until a user accepts that. */
export interface MassChange {
  job_id: number;
  archive: { id: string; name: string };
  /** The archive that it was compared with. */
  before: { id: string; name: string };
  files_before: number;
  changed: number;
  removed: number;
  /** Of the removed: those with a new extension now. */
  renamed: number;
  /** With most of them first. */
  folders: { path: string; changed: number; removed: number; examples: string[] }[];
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
    /** That it gets or may have got: which of the two opens it decides. Null: no change is open. */
    next_passphrase: sealed('passphrase:{uid}', col.text().nullable()),
    key_file: sealed('keyfile:{uid}', col.text().nullable()),
    source_directories: col.json<string[]>().required(),
    exclude_patterns: col.json<string[]>().required(),
    sources: sealed('inside', col.json<StoredSource[]>().default([])),
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
    /** Pause pruning when a backup changed or removed more than this percentage of all files; 0: never. */
    mass_change_percent: col.integer.default(50),
    /** Only if the archive before has at least as many files. */
    mass_change_files: col.integer.default(1000),
    /** The first one that is not accepted yet. No schedule prunes while it is set. */
    mass_change: col.json<MassChange>().nullable(),
    /** When it was backed up; null without one. */
    mass_change_at: col.timestamp.nullable(),
    /** What was backed up before it was taken over here, and is not: by name. Null: nothing. */
    left_out: col.json<string[]>().nullable(),
    tags: col.json<string[]>().default([]),
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
    self_backup: col.boolean.default(false),
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
    open_error_kind: col.text<Exclude<DriverErrorKind, 'locked'>>().nullable(),
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

export type RepositoryRow = RowOf<typeof repositories>;

/** Sources that several repositories back up. Its values are copied into the rows of those repositories. */
export const sourceSets = entity(
  'source_set',
  {
    id: col.id(),
    name: col.text().required(),
    source_directories: col.json<string[]>().required(),
    exclude_patterns: col.json<string[]>().required(),
    sources: sealed('inside', col.json<StoredSource[]>().default([])),
    source_connection_id: col.integer.nullable(),
    allow_parallel: col.boolean.default(false),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name']] },
);

export type SourceSetRow = RowOf<typeof sourceSets>;
