import type { AttachmentView, ScriptDetails, ScriptView } from '@holdfast/contracts';
import type { Caller } from '../../foundation/kernel/index.js';
import { isoTime, textFor } from '../../foundation/kernel/index.js';
import type { HookType, ParameterDefinition } from './script.rules.js';
import type { RepositoryScriptRow, ScriptRow, ScriptRunRow } from './tables.js';

export function scriptView(row: ScriptRow, usageCount: number): ScriptView {
  const { uid: _, content: __, created_at, updated_at, ...shown } = row;
  return {
    ...shown,
    usage_count: usageCount,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  };
}

export interface ScriptUse {
  repositories: { id: number; name: string; hook_type: HookType; enabled: boolean }[];
  schedules: { id: number; name: string; hook_type: HookType }[];
  runs: readonly ScriptRunRow[];
}

export const scriptDetails = (
  row: ScriptRow,
  { repositories, schedules, runs }: ScriptUse,
): ScriptDetails => ({
  ...scriptView(row, repositories.length),
  content: row.content,
  repositories,
  schedules,
  recent_executions: runs.map(({ id, repository_id, job_id, hook_type, status, started_at, ...rest }) => ({
    id,
    repository_id,
    job_id,
    hook_type,
    status,
    started_at: isoTime(started_at),
    exit_code: rest.exit_code,
    execution_time: rest.execution_time,
  })),
});

/** @param values with secrets masked */
export function attachmentView(
  row: RepositoryScriptRow,
  script: ScriptRow,
  values: Record<string, string> | null,
): AttachmentView {
  const { repository_id: _, created_at: __, ...shown } = row;
  return {
    ...shown,
    script_name: script.name,
    script_description: script.description,
    default_timeout: script.timeout,
    default_run_on: script.run_on,
    parameters: script.parameters,
    parameter_values: values,
  };
}

/** The view for a caller. Only administrators see the script text, which includes the parameter defaults. */
export const viewFor = <V extends { content?: string; parameters: readonly ParameterDefinition[] }>(
  caller: Caller,
  view: V,
): V => ({
  ...view,
  ...(view.content !== undefined && { content: textFor(caller, view.content) }),
  parameters: view.parameters.map((each) => ({ ...each, default: textFor(caller, each.default) })),
});
