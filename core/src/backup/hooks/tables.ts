import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import type { MessageParams, ParameterValues, StoredMessage } from '../../foundation/kernel/index.js';
import type { SourceState } from '../sources/tables.js';
import type {
  BackupStatus,
  HookType,
  JournalScope,
  JournalStage,
  ParameterDefinition,
  RunOn,
  ScriptCategory,
} from './script.rules.js';

/** The library of scripts that hooks run. */
export const scripts = entity(
  'script',
  {
    id: col.id(),
    /** Binds sealed parameter values to this script. */
    uid: col.text().required(),
    name: col.text().required(),
    description: col.text().nullable(),
    content: col.text().required(),
    category: col.text<ScriptCategory>().required(),
    /** Seconds. */
    timeout: col.integer.required(),
    run_on: col.text<RunOn>().required(),
    parameters: col.json<ParameterDefinition[]>().required(),
    is_template: col.boolean.default(false),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name'], ['uid']] },
);

/** A script attached to a repository as one of its hooks; null means the script's own value. */
export const repositoryScripts = entity(
  'repository_script',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    script_id: col.integer.required(),
    hook_type: col.text<HookType>().required(),
    /** Ascending; fractions are allowed. */
    execution_order: col.number.default(1),
    enabled: col.boolean.default(true),
    custom_timeout: col.integer.nullable(),
    custom_run_on: col.text<RunOn>().nullable(),
    continue_on_error: col.boolean.default(true),
    parameter_values: sealed('inside', col.json<ParameterValues>().nullable()),
    created_at: col.timestamp.required(),
  },
  { unique: [['repository_id', 'script_id', 'hook_type']], indexes: [['script_id']] },
);

/**
 * Which hooks still have to run: one row per backup job with hooks, or per slot whose schedule has scripts. A
 * write only takes effect with the current `fence`.
 */
export const hookJournals = entity(
  'hook_journal',
  {
    id: col.id(),
    uid: col.text().required(),
    scope: col.text<JournalScope>().required(),
    /** The job of the hooks. For a slot: the job that runs, or ran, the pre-backup script. */
    job_id: col.integer.nullable(),
    slot_id: col.integer.nullable(),
    schedule_id: col.integer.nullable(),
    repository_id: col.integer.nullable(),
    /** The jobs of the slot when the journal was opened, in case the schedule is deleted. */
    job_ids: col.json<number[]>().required(),
    /** A sealed HookPlan: the hooks as of when the first one started. Empty once closed. */
    plan: sealed('hook-plan:{uid}', col.text().required()),
    stage: col.text<JournalStage>().required(),
    /** How many hooks of the stage are done. */
    position: col.integer.default(0),
    /** The process of the running hook. `tries` counts its starts. */
    process: col.json<ToolProcess>().nullable(),
    tries: col.integer.default(0),
    /** Status passed to the post-backup hooks. Fixed when the first of them starts. */
    backup_status: col.text<BackupStatus>().nullable(),
    /** Failures that count, one sentence each. Cleared before the post-backup hooks. */
    failures: col.json<StoredMessage[]>().required(),
    /** Why the pre-backup script of a slot prevented its backups. */
    refusal: col.text().nullable(),
    refusal_code: col.text().nullable(),
    refusal_params: col.json<MessageParams>().nullable(),
    /** What was done with the sources of the job. */
    sources: col.json<SourceState[]>().nullable(),
    lease_until: col.timestamp.nullable(),
    fence: col.integer.default(0),
    created_at: col.timestamp.required(),
    closed_at: col.timestamp.nullable(),
  },
  {
    unique: [['slot_id'], ['uid'], ['scope', 'job_id']],
    indexes: [
      ['stage', 'closed_at'],
      ['schedule_id', 'stage'],
    ],
  },
);

/** Runs of library scripts as hooks. */
export const scriptRuns = entity(
  'script_run',
  {
    id: col.id(),
    script_id: col.integer.required(),
    journal_id: col.integer.required(),
    repository_id: col.integer.nullable(),
    job_id: col.integer.nullable(),
    hook_type: col.text<HookType>().required(),
    status: col.text<'running' | 'completed' | 'failed'>().required(),
    started_at: col.timestamp.required(),
    completed_at: col.timestamp.nullable(),
    exit_code: col.integer.nullable(),
    /** Seconds. */
    execution_time: col.number.nullable(),
  },
  { indexes: [['script_id'], ['journal_id', 'status']] },
);

export type ScriptRow = RowOf<typeof scripts>;

export type RepositoryScriptRow = RowOf<typeof repositoryScripts>;

export type HookJournalRow = RowOf<typeof hookJournals>;

export type ScriptRunRow = RowOf<typeof scriptRuns>;
