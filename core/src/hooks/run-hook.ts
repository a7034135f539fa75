import type { BackupStatus, HookType, PlannedHook } from './hook.rules.js';
import type { ToolLogLine } from '../ports/backup-driver.js';
import type { ScriptResult } from '../ports/script-runner.js';
import type { Dependencies } from '../dependencies.js';
import type { HookJournal } from './hook-journal.js';

export type HookNeeds = Pick<Dependencies, 'scriptRunner' | 'redactor'>;

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
export async function runHook(
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
