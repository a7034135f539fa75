import type { CatchUp } from '../calendar/schedule.rules.js';
import type { SlotOutcome, SlotTrigger } from '../calendar/slot.rules.js';
import type {
  JobKind,
  JobOutcome,
  JobParameters,
  JobProgress,
  JobStatus,
  LaneHolder,
} from '../jobs/job.rules.js';
import type { JobFigures } from '../jobs/job-figures.rules.js';
import type { ParameterValues } from '../kernel/sealed-values.rules.js';
import type { DeliveryStatus } from '../notifications/notification-kind.rules.js';
import type { Encryption, ToolProcess } from '../ports/backup-driver.js';
import type { SshKeyType } from '../ports/key-tool.js';
import type { OpenErrorKind } from '../repositories/repository.rules.js';
import type {
  ManifestEntry,
  RestoreOrder,
  RestoreOutcome,
  RestorePhase,
  TargetStamp,
} from '../restore/restore.rules.js';
import type { ConnectionStatus, StoredUsage } from '../ssh/ssh.rules.js';
import { auditEntries, auditHeads } from './audit-tables.js';
import { col, entity, type RowOf, sealed } from './entity.js';
import { eventSequences, idempotencyKeys, repositoryMakings } from './request-tables.js';
import { hookJournals, repositoryScripts, scriptRuns, scripts } from './script-tables.js';
import { housekeeping, instances, storageMoves } from './system-tables.js';

export * from './audit-tables.js';
export * from './request-tables.js';
export * from './script-tables.js';
export * from './system-tables.js';

/** Facts of the installation and settings changed through the interface: one row a key. */
export const settings = entity(
  'setting',
  { id: col.id(), key: col.text().required(), value: sealed('inside', col.json<unknown>().required()) },
  { unique: [['key']] },
);

export const users = entity(
  'user',
  {
    id: col.id(),
    username: col.text().required(),
    email: col.text().nullable(),
    password_hash: col.text().required(),
    is_admin: col.boolean.default(false),
    is_active: col.boolean.default(true),
    must_change_password: col.boolean.default(false),
    last_login: col.timestamp.nullable(),
    created_at: col.timestamp.required(),
  },
  { unique: [['username'], ['email']] },
);

/** Access tokens, stored as SHA-256 of the token. `session`: by login; `api`: made by hand. */
export const tokens = entity(
  'token',
  {
    id: col.id(),
    user_id: col.integer.required(),
    hash: col.text().required(),
    kind: col.text<'session' | 'api'>().required(),
    name: col.text().nullable(),
    read_only: col.boolean.default(false),
    created_at: col.timestamp.required(),
    expires_at: col.timestamp.nullable(),
    last_used_at: col.timestamp.nullable(),
  },
  { unique: [['hash']], indexes: [['user_id'], ['expires_at']] },
);

/** Single-use permissions for one download each, stored as SHA-256 of ticket and object: removed when used. */
export const downloadTickets = entity(
  'download_ticket',
  {
    id: col.id(),
    hash: col.text().required(),
    object_hash: col.text().required(),
    user_id: col.integer.required(),
    /** The access token that asked for it: the ticket ends with it. */
    token_id: col.integer.required(),
    expires_at: col.timestamp.required(),
  },
  { unique: [['hash']], indexes: [['expires_at'], ['user_id']] },
);

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

/** Every piece of work that outlives a request. This row is the truth about it. */
export const jobs = entity(
  'job',
  {
    id: col.id(),
    /** Random, never given again; null for jobs of before there was one. */
    uid: col.text().nullable(),
    kind: col.text<JobKind>().required(),
    status: col.text<JobStatus>().required(),
    /** Null when the repository's registration was removed. */
    repository_id: col.integer.nullable(),
    repository_path: col.text().required(),
    repository_name: col.text().required(),
    schedule_id: col.integer.nullable(),
    slot_id: col.integer.nullable(),
    /** Name of the user, or of the schedule, that asked for it. */
    requested_by: col.text().required(),
    requested_at: col.timestamp.required(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    parameters: sealed('inside', col.json<JobParameters>().required()),
    progress: col.json<JobProgress>().required(),
    outcome: col.json<JobOutcome>().nullable(),
    /** What the tool said, until the job ended: whoever takes it over tells the same. */
    reported: col.json<JobOutcome>().nullable(),
    error_message: col.text().nullable(),
    /** Prune and compact after a scheduled backup. */
    maintenance_status: col.text().nullable(),
    /** What a pending job waits for, in words. */
    waiting_for: col.text().nullable(),
    cancel_requested: col.boolean.default(false),
    /** Instance that runs it. */
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    /** Raised with each taking; a write of a run holds only with its own number. */
    fence: col.integer.default(0),
    tool: col.json<ToolProcess>().nullable(),
    log_lines: col.integer.default(0),
  },
  {
    indexes: [
      ['status', 'kind'],
      ['repository_id', 'kind', 'status'],
      ['kind', 'requested_at'],
      // Lists of the newest ones are read in this order.
      ['kind', 'id'],
      ['schedule_id'],
      ['slot_id'],
      ['completed_at'],
      ['uid'],
    ],
  },
);

/**
 * What the ended jobs of a repository come to, so that metrics need not count rows; 0 stands for repositories that are
 * not registered any more. Written in the transaction that ends a job.
 */
export const jobFigures = entity(
  'job_figures',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    figures: col.json<JobFigures>().required(),
    /** The part of them whose jobs were removed. */
    removed: col.json<JobFigures>().nullable(),
  },
  { unique: [['repository_id']] },
);

/** Chunks of a job's log: `content` holds `line_count` lines joined by newlines, from line `first_line` (0-based). */
export const jobLogs = entity(
  'job_log',
  {
    id: col.id(),
    job_id: col.integer.required(),
    first_line: col.integer.required(),
    line_count: col.integer.required(),
    content: col.text().required(),
  },
  { unique: [['job_id', 'first_line']] },
);

/** One row a repository: who may use the tool on it now. Changed by compare-and-set on `version` only. */
export const lanes = entity(
  'lane',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    version: col.integer.default(0),
    holders: col.json<LaneHolder[]>().required(),
  },
  { unique: [['repository_id']] },
);

/** What happened, in order; written in the transaction of the change that it reports. */
export const events = entity(
  'event',
  {
    id: col.id(),
    kind: col.text().required(),
    at: col.timestamp.required(),
    repository_id: col.integer.nullable(),
    job_id: col.integer.nullable(),
    data: col.json<Record<string, unknown>>().required(),
    /** Place in the sequence that streams go by, in the order of commits; null until it is given. */
    seq: col.integer.nullable(),
  },
  { unique: [['seq']], indexes: [['at'], ['kind', 'at']] },
);

/** When to back up which repositories. `next_run` is the truth about what is due. */
export const schedules = entity(
  'schedule',
  {
    id: col.id(),
    /** Random, never given again; null for schedules of before there was one. */
    uid: col.text().nullable(),
    name: col.text().required(),
    cron_expression: col.text().required(),
    /** IANA name. */
    timezone: col.text().required(),
    catch_up: col.text<CatchUp>().required(),
    enabled: col.boolean.default(true),
    description: col.text().nullable(),
    archive_name_template: col.text().nullable(),
    run_repository_scripts: col.boolean.default(false),
    pre_backup_script_id: col.integer.nullable(),
    post_backup_script_id: col.integer.nullable(),
    pre_backup_script_parameters: sealed('inside', col.json<ParameterValues>().nullable()),
    post_backup_script_parameters: sealed('inside', col.json<ParameterValues>().nullable()),
    run_prune_after: col.boolean.default(false),
    run_compact_after: col.boolean.default(false),
    prune_keep_hourly: col.integer.default(0),
    prune_keep_daily: col.integer.default(7),
    prune_keep_weekly: col.integer.default(4),
    prune_keep_monthly: col.integer.default(6),
    prune_keep_quarterly: col.integer.default(0),
    prune_keep_yearly: col.integer.default(1),
    last_run: col.timestamp.nullable(),
    /** The planned instant of the next slot, also while disabled; null when it can't be told. */
    next_run: col.timestamp.nullable(),
    last_prune: col.timestamp.nullable(),
    last_compact: col.timestamp.nullable(),
    /** The last planned instant that came, and how late the last run began. */
    last_planned: col.timestamp.nullable(),
    last_late_ms: col.integer.nullable(),
    /** Why it could not run, or what failed in its last run: for people. */
    last_error: col.text().nullable(),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name']], indexes: [['enabled', 'next_run']] },
);

/** When a repository is checked by itself: at most one row a repository. `next_run` is the truth about what is due. */
export const checkSchedules = entity(
  'check_schedule',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    /** Null: switched off. */
    cron_expression: col.text().nullable(),
    /** IANA name. */
    timezone: col.text().required(),
    /** Whether there is a cron expression. */
    enabled: col.boolean.required(),
    /** Seconds; above 0 the checks are partial. */
    max_duration: col.integer.required(),
    verify_data: col.boolean.default(false),
    notify_on_success: col.boolean.default(false),
    notify_on_failure: col.boolean.default(true),
    last_run: col.timestamp.nullable(),
    /** The planned instant of the last run: none is run for twice, also when the clock goes back. */
    last_planned: col.timestamp.nullable(),
    next_run: col.timestamp.nullable(),
    /** Why the last planned check did not begin: for people. */
    last_error: col.text().nullable(),
  },
  { unique: [['repository_id']], indexes: [['enabled', 'next_run']] },
);

/** The repositories of a schedule in the order of its runs, `position` from 0 on. */
export const scheduleRepositories = entity(
  'schedule_repository',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    repository_id: col.integer.required(),
    position: col.integer.required(),
  },
  { unique: [['schedule_id', 'repository_id']], indexes: [['repository_id']] },
);

/** The ledger: one row a planned instant of a schedule, whether it ran or why it did not. */
export const slots = entity(
  'slot',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    planned_at: col.timestamp.required(),
    trigger: col.text<SlotTrigger>().required(),
    outcome: col.text<SlotOutcome>().required(),
    reason: col.text().nullable(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    late_ms: col.integer.nullable(),
    job_ids: col.json<number[]>().required(),
    /** How many planned instants the row stands for: more than 1 only where a long absence is summed up. */
    count: col.integer.default(1),
  },
  { unique: [['schedule_id', 'planned_at']], indexes: [['outcome']] },
);

/** The system key: at most one row, `slot` being 1 in each. */
export const sshKeys = entity(
  'ssh_key',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Part of the purpose of its envelope. */
    uid: col.text().required(),
    name: col.text().required(),
    description: col.text().nullable(),
    key_type: col.text<SshKeyType>().required(),
    public_key: col.text().required(),
    fingerprint: col.text().required(),
    private_key: sealed('ssh-key:{uid}', col.text().required()),
    is_active: col.boolean.default(true),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['slot']] },
);

/** Accounts on remote hosts that the system key opens. */
export const sshConnections = entity(
  'ssh_connection',
  {
    id: col.id(),
    /** Null after the key was deleted. */
    ssh_key_id: col.integer.nullable(),
    host: col.text().required(),
    port: col.integer.required(),
    username: col.text().required(),
    use_sftp_mode: col.boolean.default(true),
    default_path: col.text().default('/'),
    /** Stands before paths in SSH locations of repositories. */
    ssh_path_prefix: col.text().nullable(),
    /** For display only. */
    mount_point: col.text().nullable(),
    /** Borg on this host may be used for pull backups. */
    trusted: col.boolean.default(false),
    status: col.text<ConnectionStatus>().required(),
    last_test: col.timestamp.nullable(),
    last_success: col.timestamp.nullable(),
    error_message: col.text().nullable(),
    /** Pinned host key, `type base64`; null until the first connection. */
    host_key: col.text().nullable(),
    /** Another key that the host showed, waiting for an administrator. */
    offered_host_key: col.text().nullable(),
    storage: col.json<StoredUsage>().nullable(),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['host', 'port', 'username']], indexes: [['ssh_key_id']] },
);

/** What a person was told before a restore: `start` takes it once, while it still holds. */
export const restorePlans = entity(
  'restore_plan',
  {
    id: col.id(),
    key: col.text().required(),
    /** Name of the user who asked for it. */
    requested_by: col.text().required(),
    order: col.json<RestoreOrder>().required(),
    /** What was at the target then. */
    stamps: col.json<TargetStamp[]>().required(),
    /** Why it can't start, each a sentence. */
    obstacles: col.json<string[]>().required(),
    expires_at: col.timestamp.required(),
    job_id: col.integer.nullable(),
  },
  { unique: [['key']], indexes: [['expires_at']] },
);

/** How far the files of a restore job came: what recovery goes by. Changed by compare-and-set on `phase` only. */
export const restoreRuns = entity(
  'restore_run',
  {
    id: col.id(),
    job_id: col.integer.required(),
    /** Absolute folder of its own on the target's file system. */
    staging: col.text().required(),
    phase: col.text<RestorePhase>().required(),
    /** What comes out of it, known before the first file is moved. */
    outcome: col.json<RestoreOutcome>().nullable(),
  },
  { unique: [['job_id']] },
);

/** What happened to each path of a restore, in pieces from `position` (0-based) on. */
export const restoreManifests = entity(
  'restore_manifest',
  {
    id: col.id(),
    job_id: col.integer.required(),
    position: col.integer.required(),
    entries: col.json<ManifestEntry[]>().required(),
  },
  { unique: [['job_id', 'position']] },
);

/** Who is told of what, and where. */
export const notificationSettings = entity(
  'notification_setting',
  {
    id: col.id(),
    uid: col.text().required(),
    name: col.text().required(),
    service_url: sealed('notification:{uid}', col.text().required()),
    /** Of the service URL, to show without it. */
    scheme: col.text().required(),
    enabled: col.boolean.default(true),
    title_prefix: col.text().nullable(),
    include_job_name_in_title: col.boolean.default(false),
    notify_on_backup_start: col.boolean.default(false),
    notify_on_backup_success: col.boolean.default(false),
    notify_on_backup_failure: col.boolean.default(true),
    notify_on_restore_success: col.boolean.default(false),
    notify_on_restore_failure: col.boolean.default(true),
    notify_on_check_success: col.boolean.default(false),
    notify_on_check_failure: col.boolean.default(true),
    notify_on_schedule_failure: col.boolean.default(true),
    monitor_all_repositories: col.boolean.default(true),
    /** Failures that repeat within this time are one message; 0: each is its own. */
    failure_grouping_minutes: col.integer.default(0),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
    /** Of the last message that was delivered. */
    last_used_at: col.timestamp.nullable(),
  },
  { unique: [['uid']] },
);

/** The repositories of settings that do not monitor all. */
export const notificationRepositories = entity(
  'notification_repository',
  { id: col.id(), setting_id: col.integer.required(), repository_id: col.integer.required() },
  { unique: [['setting_id', 'repository_id']], indexes: [['repository_id']] },
);

/** The outbox: one message to one setting, written in the transaction of its event, sent in the order of the ids. */
export const deliveries = entity(
  'delivery',
  {
    id: col.id(),
    /** The same for each try, and told to the receiver. */
    message_id: col.text().required(),
    setting_id: col.integer.required(),
    /** Of a grouped message: the last of its events. */
    event_id: col.integer.required(),
    /** Messages of one setting about one repository keep their order. */
    repository_id: col.integer.nullable(),
    /** What a failure is about and what its recovery ends; null without grouping. */
    topic: col.text().nullable(),
    /** Tells that what failed works again. */
    recovery: col.boolean.default(false),
    /** How many events it stands for, the first of them at `first_at`. */
    count: col.integer.default(1),
    first_at: col.timestamp.required(),
    status: col.text<DeliveryStatus>().required(),
    attempts: col.integer.default(0),
    next_attempt_at: col.timestamp.required(),
    /** When it was written or a person asked for it again: tries end some time after that. */
    queued_at: col.timestamp.required(),
    /** Why the last try failed, without secrets. */
    last_error: col.text().nullable(),
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    /** Raised with each taking; a write of a try holds only with its own number. */
    fence: col.integer.default(0),
    created_at: col.timestamp.required(),
    /** When it was delivered or parked. */
    ended_at: col.timestamp.nullable(),
  },
  {
    unique: [['message_id']],
    indexes: [
      ['status', 'setting_id', 'repository_id'],
      ['status', 'ended_at'],
      ['setting_id', 'topic'],
    ],
  },
);

export const allEntities = [
  settings,
  users,
  tokens,
  repositories,
  archives,
  jobs,
  jobFigures,
  jobLogs,
  lanes,
  events,
  schedules,
  checkSchedules,
  scheduleRepositories,
  slots,
  sshKeys,
  sshConnections,
  restorePlans,
  restoreRuns,
  restoreManifests,
  notificationSettings,
  notificationRepositories,
  deliveries,
  scripts,
  repositoryScripts,
  hookJournals,
  scriptRuns,
  instances,
  storageMoves,
  housekeeping,
  idempotencyKeys,
  repositoryMakings,
  eventSequences,
  downloadTickets,
  auditEntries,
  auditHeads,
] as const;

export type SettingRow = RowOf<typeof settings>;
export type UserRow = RowOf<typeof users>;
export type TokenRow = RowOf<typeof tokens>;
export type RepositoryRow = RowOf<typeof repositories>;
export type ArchiveRow = RowOf<typeof archives>;
export type JobRow = RowOf<typeof jobs>;
export type JobLogRow = RowOf<typeof jobLogs>;
export type LaneRow = RowOf<typeof lanes>;
export type EventRow = RowOf<typeof events>;
export type ScheduleRow = RowOf<typeof schedules>;
export type CheckScheduleRow = RowOf<typeof checkSchedules>;
export type ScheduleRepositoryRow = RowOf<typeof scheduleRepositories>;
export type SlotRow = RowOf<typeof slots>;
export type SshKeyRow = RowOf<typeof sshKeys>;
export type SshConnectionRow = RowOf<typeof sshConnections>;
export type RestorePlanRow = RowOf<typeof restorePlans>;
export type NotificationSettingRow = RowOf<typeof notificationSettings>;
export type DeliveryRow = RowOf<typeof deliveries>;
