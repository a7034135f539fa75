import type { JobStatus } from '../jobs/job.rules.js';
import type { RunOn } from './script.rules.js';

export const hookTypes = ['pre-backup', 'post-backup'] as const;
export type HookType = (typeof hookTypes)[number];

/**
 * `job`: the hooks of a repository around one backup. `slot`: the scripts of a schedule around one run of it.
 */
export type JournalScope = 'job' | 'slot';

/**
 * `waiting`: nothing has begun. `before`: hooks before the backup run. `between`: they are done. `refused`:
 * they failed, so that no backup begins. `after`: hooks after the backup run. `closed`: nothing is owed any
 * more.
 */
export type JournalStage = 'waiting' | 'before' | 'between' | 'refused' | 'after' | 'closed';
export const openStages = ['waiting', 'before', 'between', 'refused', 'after'] as const;

/** How hooks after a backup are told of it. */
export type BackupStatus = 'success' | 'warning' | 'failure';

/** One hook as it will run, whatever is changed meanwhile. JSON; holds secrets. */
export interface PlannedHook {
  name: string;
  /** Null: a text of the repository itself. */
  scriptId: number | null;
  content: string;
  /** Values of the script's parameters. */
  environment: Record<string, string>;
  /** Those of them that must not be seen. */
  secrets: string[];
  timeoutSeconds: number;
  runOn: RunOn;
  /** Its failure is one of the whole phase. */
  counts: boolean;
}

export interface HookPlan {
  pre: PlannedHook[];
  post: PlannedHook[];
  /** What every hook of the plan is told beside its own parameters. */
  environment: Record<string, string>;
  /** The backup goes on though hooks before it failed. */
  continueOnFailure: boolean;
}

export const runsAfter = ({ runOn }: Pick<PlannedHook, 'runOn'>, status: BackupStatus): boolean =>
  runOn === 'always' || runOn === status;

export function backupStatus(status: JobStatus | 'completed_with_warnings'): BackupStatus {
  if (status === 'completed') return 'success';
  return status === 'completed_with_warnings' ? 'warning' : 'failure';
}

/** `2 of 3 pre-backup hooks failed: …`; `failures` are sentences. */
export function phaseFailure(type: HookType, failures: readonly string[]): string {
  return failures.length === 1
    ? `${failures[0]}`
    : `${failures.length} ${type} hooks failed: ${failures.join(' ')}`;
}
