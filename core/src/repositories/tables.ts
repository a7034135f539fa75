import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { Encryption } from '@holdfast/plugin-api/driver';
import type { OpenErrorKind } from './repository.rules.js';

export const repositories = entity(
  'repository',
  {
    id: col.id(),
    /** Name of the tool's private folder for this repository. */
    uid: col.text().required(),
    /** The tool's own id of the repository. */
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
    /** How old the newest archive may be, in hours; null when the schedules say. */
    freshness_hours: col.integer.nullable(),
    /** A backup that falls by more than this against the last whole one is told; 0: none is. */
    shrink_warning_percent: col.integer.default(90),
    last_backup: col.timestamp.nullable(),
    last_check: col.timestamp.nullable(),
    last_compact: col.timestamp.nullable(),
    /** Bytes on disk (compressed, deduplicated); null until first known. */
    stored_size: col.integer.nullable(),
    archive_count: col.integer.default(0),
    /** When the archive rows were last rewritten from the tool's own list. */
    inventory_at: col.timestamp.nullable(),
    /** Unfinished archives in the last list; null when it was not asked for them yet. */
    unfinished_archives: col.integer.nullable(),
    /** Interrupted backups may have left unfinished archives that nobody removed yet. */
    sweep_due: col.boolean.default(true),
    /** Cached listings without this mark are not used any more. */
    cache_epoch: col.integer.default(0),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
    /** Why the tool could not open it when it was asked last, and since when; null when it opened. */
    open_error: col.text().nullable(),
    open_error_kind: col.text<OpenErrorKind>().nullable(),
    open_error_at: col.timestamp.nullable(),
  },
  { unique: [['name'], ['path'], ['uid']] },
);

/** The archive inventory: what the tool's list said last. Sizes only where an operation of ours learned them. */
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
    /** The job that made it, and the schedule of that job: recorded by the job itself; null for archives of others. */
    job_id: col.integer.nullable(),
    schedule_id: col.integer.nullable(),
    /** Sources of the repository that are not in it, or not whole; null when that is not known. */
    lacking: col.json<string[]>().nullable(),
    /** It has no file at all, or not all sources: it protects nothing. */
    partial: col.boolean.default(false),
    /** The tool said that files of it can't be read whole any more. */
    damaged: col.boolean.default(false),
  },
  { unique: [['repository_id', 'name']], indexes: [['repository_id', 'start']] },
);

export type RepositoryRow = RowOf<typeof repositories>;

export type ArchiveRow = RowOf<typeof archives>;

/**
 * Repositories that are being made, from before the tool begins until they are registered. Only a place where no
 * repository was gets a row: what is found there after its process died was made by that process.
 */
export const repositoryMakings = entity(
  'repository_making',
  {
    id: col.id(),
    path: col.text().required(),
    /** Of the repository. */
    uid: col.text().required(),
    /** While the process that makes it lives. */
    lease_until: col.timestamp.required(),
    /** Raised with each taking. */
    fence: col.integer.default(0),
  },
  { unique: [['path']], indexes: [['lease_until']] },
);

export type RepositoryMakingRow = RowOf<typeof repositoryMakings>;
