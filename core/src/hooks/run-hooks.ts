import type { StorageSession } from '@holdfast/plugin-api';
import type { ToolLogLine } from '@holdfast/plugin-api/driver';
import type { ScriptResult } from '../ports/script-runner.js';
import type { HookJournal } from './hook-journal.js';
import type { HooksNeeds } from './needs.js';
import { type BackupStatus, type HookType, type PlannedHook, runsAfter } from './script.rules.js';
import { scriptRuns } from './tables.js';

export type HookNeeds = Pick<HooksNeeds, 'scriptRunner' | 'redactor'>;

export interface HookRun {
  journal: HookJournal;
  hook: PlannedHook;
  type: HookType;
  /** For hooks after the backup. */
  status: BackupStatus | null;
  /** Ends the hook. */
  signal: AbortSignal;
  /** Takes the output; secrets are hidden while the hook runs. */
  log(line: ToolLogLine): void;
}

/** Runs one hook and tells of it in the log. Null when all went well, else a sentence about its failure. */
async function runHook(
  needs: HookNeeds,
  { journal, hook, type, status, signal, log }: HookRun,
): Promise<{ result: ScriptResult; failure: string | null }> {
  const release = protect(needs, hook.secrets);
  try {
    log({
      level: 'info',
      text: `Running the ${type} hook "${hook.name}", for ${hook.timeoutSeconds} s at most`,
    });
    const result = await needs.scriptRunner.run({
      content: hook.content,
      environment: {
        ...hook.environment,
        ...journal.plan.environment,
        BK_UI_HOOK_TYPE: type,
        ...(status ? { BK_UI_BACKUP_STATUS: status } : {}),
      },
      timeoutSeconds: hook.timeoutSeconds,
      signal,
      onProcess: (process) => journal.begin({ hook, type, process }),
      onLine: ({ stream, text }) =>
        log({ level: 'info', text: `${stream === 'stderr' ? '  ! ' : '  | '}${text}` }),
    });
    const failure = failureOf(type, hook, result);
    if (failure) log({ level: hook.counts ? 'error' : 'warning', text: failure });
    else log({ level: 'info', text: `The ${type} hook "${hook.name}" ended well after ${result.seconds} s` });
    return { result, failure };
  } finally {
    release();
  }
}

function failureOf(
  type: HookType,
  { name, timeoutSeconds }: PlannedHook,
  result: ScriptResult,
): string | null {
  const what = `The ${type} hook "${name}"`;
  if (result.end === 'timed_out') return `${what} was ended: it took longer than ${timeoutSeconds} s.`;
  if (result.end === 'aborted') return `${what} was ended before it was done.`;
  if (result.end === 'not_started') return `${what} did not run. ${result.problem ?? ''}`.trim();
  return result.exitCode === 0 ? null : `${what} failed with exit code ${result.exitCode}.`;
}

/** Each line by itself too: logs are redacted line by line. */
export function protect({ redactor }: Pick<HookNeeds, 'redactor'>, secrets: readonly string[]): () => void {
  const lines = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]);
  const held = [...new Set(lines)].filter((line) => line.trim() !== '').map((line) => redactor.protect(line));
  return () => {
    for (const each of held) each.release();
  };
}

/**
 * A hook after the backup that was cut off is begun once more, then it counts as failed: it may be what ends
 * us.
 */
const mostTries = 2;

interface Phase {
  journal: HookJournal;
  log(line: ToolLogLine): void;
}

/**
 * Runs the hooks before a backup, all of them also after a failure. The failures that count. When `signal` is
 * aborted the running one is ended and no other begins: the caller looks at the signal.
 */
export async function runPreHooks(
  needs: HookNeeds,
  { journal, log, signal }: Phase & { signal: AbortSignal },
): Promise<string[]> {
  for (const hook of journal.plan.pre.slice(journal.row.position)) {
    if (signal.aborted) break;
    const run = { journal, hook, type: 'pre-backup' as const, status: null, signal, log };
    const { result, failure } = await runHook(needs, run);
    if (signal.aborted) break;
    await journal.end(result, hook.counts ? failure : null);
  }
  return journal.row.failures;
}

/**
 * Runs the hooks after a backup that are still owed, then closes the journal. The failures that count.
 * `status` is what they are told, unless an earlier run told the first of them already. Rejects when the
 * journal is lost.
 */
export async function runPostHooks(
  needs: HookNeeds,
  { journal, log, status: now }: Phase & { status: BackupStatus },
): Promise<string[]> {
  if (journal.row.stage === 'closed') return journal.row.failures;
  if (journal.row.stage !== 'after') await journal.enterAfter(now);
  const status = journal.row.backup_status ?? now;
  const { post } = journal.plan;
  for (let hook = post[journal.row.position]; hook; hook = post[journal.row.position]) {
    if (!runsAfter(hook, status)) {
      await journal.end(null, null);
    } else if (journal.row.tries >= mostTries) {
      const failure = `The post-backup hook "${hook.name}" was cut off ${mostTries} times: not run again.`;
      log({ level: 'error', text: failure });
      await journal.end(null, hook.counts ? failure : null);
    } else {
      const run = { journal, hook, type: 'post-backup' as const, status, signal: journal.lost, log };
      const { result, failure } = await runHook(needs, run);
      journal.lost.throwIfAborted();
      await journal.end(result, hook.counts ? failure : null);
    }
  }
  await journal.close();
  return journal.row.failures;
}

export const removeScriptRuns = (session: StorageSession, ids: readonly number[]) =>
  session.remove(scriptRuns, { id: { in: ids } });
