import type { StorageSession } from '@holdfast/plugin-api';
import type { JobRow } from '../../engine/jobs/index.js';
import type { ParameterValues } from '../../foundation/kernel/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';
import { repositoryVariables } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { scheduleFactsOf } from '../schedules/calendar/index.js';
import { openValues } from './parameter-values.js';
import type { HookPlan, HookType, PlannedHook } from './script.rules.js';
import { type RepositoryScriptRow, repositoryScripts, type ScriptRow, scripts } from './tables.js';

interface Planning {
  job: JobRow;
  repository: RepositoryRow;
}

/** The hooks to run around one backup of a repository; null when there are none. */
export async function planRepositoryHooks(
  session: StorageSession,
  secrets: SecretBox,
  { job, repository }: Planning,
): Promise<HookPlan | null> {
  const { source_connection_id: connectionId, sources } = repository;
  const planned = sources.length > 0 ? { sources: { connectionId, all: sources } } : {};
  const attached = await session.find(repositoryScripts, {
    where: { repository_id: repository.id, enabled: true },
    order: [['execution_order', 'asc']],
  });
  const ids = [...new Set(attached.map(({ script_id }) => script_id))];
  const library = new Map(
    (await session.find(scripts, { where: { id: { in: ids } } })).map((row) => [row.id, row]),
  );
  const hooksOf = (type: HookType): PlannedHook[] => {
    const own = attached.flatMap((attachment) => {
      const script = attachment.hook_type === type ? library.get(attachment.script_id) : undefined;
      return script ? [attachedHook(secrets, script, attachment)] : [];
    });
    return own.length > 0 ? own : inlineHook(repository, type);
  };
  const runs = scheduleFactsOf(job)?.runRepositoryScripts !== false;
  const plan = { pre: runs ? hooksOf('pre-backup') : [], post: runs ? hooksOf('post-backup') : [] };
  if (plan.pre.length + plan.post.length + sources.length === 0) return null;
  return {
    ...plan,
    ...planned,
    environment: { ...(await repositoryVariables(session, repository)), BK_UI_JOB_ID: `${job.id}` },
    continueOnFailure: repository.continue_on_hook_failure,
  };
}

/** A pre-backup hook may provide the sources, for example by mounting them. */
export async function hasPreHook(session: StorageSession, repository: RepositoryRow): Promise<boolean> {
  if (inlineHook(repository, 'pre-backup').length > 0) return true;
  const where = { repository_id: repository.id, hook_type: 'pre-backup' as const, enabled: true };
  return (await session.find(repositoryScripts, { where, limit: 1 })).length > 0;
}

/** Whether scripts run around the backups of a repository, unless a schedule leaves them out. */
export async function hasHooks(session: StorageSession, repository: RepositoryRow): Promise<boolean> {
  const inline = inlineHook(repository, 'pre-backup').length + inlineHook(repository, 'post-backup').length;
  const where = { repository_id: repository.id, enabled: true };
  return inline > 0 || (await session.find(repositoryScripts, { where, limit: 1 })).length > 0;
}

function attachedHook(secrets: SecretBox, script: ScriptRow, attachment: RepositoryScriptRow): PlannedHook {
  return {
    ...libraryHook(secrets, script, attachment.parameter_values),
    timeoutSeconds: attachment.custom_timeout ?? script.timeout,
    runOn: attachment.custom_run_on ?? script.run_on,
    counts: !attachment.continue_on_error,
  };
}

function inlineHook(repository: RepositoryRow, type: HookType): PlannedHook[] {
  const before = type === 'pre-backup';
  const content = before ? repository.pre_backup_script : repository.post_backup_script;
  if (content === null || content.trim() === '') return [];
  return [
    {
      name: `${type} script of ${repository.name}`,
      scriptId: null,
      content,
      environment: {},
      secrets: [],
      timeoutSeconds: before ? repository.pre_hook_timeout : repository.post_hook_timeout,
      runOn: 'always',
      counts: true,
    },
  ];
}

/** Turns a library script into a hook that always runs and whose failure counts. */
export function libraryHook(
  secrets: SecretBox,
  script: ScriptRow,
  values: ParameterValues | null,
): PlannedHook {
  return {
    name: script.name,
    scriptId: script.id,
    content: script.content,
    ...openValues(secrets, script, values),
    timeoutSeconds: script.timeout,
    runOn: 'always',
    counts: true,
  };
}
