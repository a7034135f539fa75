import type { StorageSession } from '@holdfast/plugin-api';
import type { ToolLogLine } from '@holdfast/plugin-api/driver';
import { plainText } from '../../engine/jobs/index.js';
import { type Message, messageFrom, say } from '../../foundation/kernel/index.js';
import type { ScriptResult } from '../../foundation/ports/script-runner.js';
import { releaseSources } from '../sources/index.js';
import type { HookJournal } from './hook-journal.js';
import type { HooksNeeds } from './needs.js';
import { type BackupStatus, type HookType, notNow, type PlannedHook, runsAfter } from './script.rules.js';
import { scriptRuns } from './tables.js';

export type HookNeeds = HooksNeeds;

interface HookRun {
  journal: HookJournal;
  hook: PlannedHook;
  type: HookType;
  /** Null for pre-backup hooks. */
  status: BackupStatus | null;
  /** Terminates the hook. */
  signal: AbortSignal;
  /** Receives the output. The secrets of the hook are redacted while it runs. */
  log(line: ToolLogLine): void;
}

/**
 * Runs one hook and logs its output. `failure` is null on success, else a sentence; `postponed` is one when the hook
 * asks to skip the backup.
 */
async function runHook(
  needs: HookNeeds,
  { journal, hook, type, status, signal, log }: HookRun,
): Promise<{ result: ScriptResult; failure: Message | null; postponed: Message | null }> {
  let lastLine = '';
  const release = protect(needs, hook.secrets);
  try {
    log({
      level: 'info',
      text: `Running the ${type} hook "${hook.name}" (timeout: ${hook.timeoutSeconds} s)`,
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
      onLine: ({ stream, text }) => {
        if (text.trim() !== '') lastLine = text.trim();
        log({ level: 'info', text: `${stream === 'stderr' ? '  ! ' : '  | '}${text}` });
      },
    });
    if (type === 'pre-backup' && result.exitCode === notNow) {
      const line = plainText(needs.redactor.redact(lastLine).slice(0, maxReason)) || `exit code ${notNow}`;
      const postponed = say`hook_postponed: The pre-backup hook "${{ name: hook.name }}" postponed the backup: ${{ line }}`;
      log({ level: 'info', text: postponed.text });
      return { result, failure: null, postponed };
    }
    const failure = failureOf(type, hook, result);
    if (failure) log({ level: hook.counts ? 'error' : 'warning', text: failure.text });
    else log({ level: 'info', text: `The ${type} hook "${hook.name}" succeeded after ${result.seconds} s` });
    return { result, failure, postponed: null };
  } finally {
    release();
  }
}

/** Characters of a hook's output in the reason for a skipped backup. */
const maxReason = 300;

function failureOf(
  type: HookType,
  { name, timeoutSeconds }: PlannedHook,
  result: ScriptResult,
): Message | null {
  if (result.end === 'timed_out')
    return say`hook_timed_out: The ${{ type }} hook "${{ name }}" was stopped after its timeout of ${{ seconds: timeoutSeconds }} s.`;
  if (result.end === 'aborted')
    return say`hook_stopped: The ${{ type }} hook "${{ name }}" was stopped before it finished.`;
  if (result.end === 'not_started') {
    return result.problem
      ? say`hook_not_started: The ${{ type }} hook "${{ name }}" did not start. ${{ problem: result.problem }}`
      : say`hook_not_started_unexplained: The ${{ type }} hook "${{ name }}" did not start.`;
  }
  if (result.exitCode === 0) return null;
  const { exitCode: exit_code } = result;
  return say`hook_exited: The ${{ type }} hook "${{ name }}" failed with exit code ${{ exit_code }}.`;
}

/** Also protects each line by itself, because logs are redacted line by line. */
export function protect({ redactor }: Pick<HookNeeds, 'redactor'>, secrets: readonly string[]): () => void {
  const lines = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]);
  const held = [...new Set(lines)].filter((line) => line.trim() !== '').map((line) => redactor.protect(line));
  return () => {
    for (const each of held) each.release();
  };
}

/**
 * An interrupted post-backup hook is retried once and then counts as failed: it may be what stops the
 * service.
 */
const maxTries = 2;

interface Phase {
  journal: HookJournal;
  log(line: ToolLogLine): void;
  /** Receives failures that do not count. */
  remark?(failure: Message): void;
}

/**
 * Runs the pre-backup hooks, all of them even after a failure, until one postpones the backup. Returns the failures
 * that count. When `signal` is aborted, the running hook is terminated and no other starts; the caller checks the
 * signal.
 */
export async function runPreHooks(
  needs: HookNeeds,
  { journal, log, signal, remark }: Phase & { signal: AbortSignal },
): Promise<{ failures: Message[]; postponed: Message | null }> {
  let reason: Message | null = null;
  for (const hook of journal.plan.pre.slice(journal.row.position)) {
    if (signal.aborted) break;
    const run = { journal, hook, type: 'pre-backup' as const, status: null, signal, log };
    const { result, failure, postponed } = await runHook(needs, run);
    if (signal.aborted) break;
    if (failure && !hook.counts) remark?.(failure);
    await journal.end(result, hook.counts ? failure : null);
    reason = postponed;
    if (reason) break;
  }
  return { failures: journal.row.failures.map(messageFrom), postponed: reason };
}

/**
 * Runs the remaining post-backup hooks, then closes the journal. Returns the failures that count. Hooks
 * receive `status`, unless an earlier run already passed another status to the first of them. Rejects when
 * the journal is lost.
 */
export async function runPostHooks(
  needs: HookNeeds,
  { journal, log, remark, status: now }: Phase & { status: BackupStatus },
): Promise<Message[]> {
  if (journal.row.stage === 'closed') return journal.row.failures.map(messageFrom);
  const held = await release(needs, { journal, log });
  if (journal.row.stage !== 'after') await journal.enterAfter(now);
  const status = journal.row.backup_status ?? now;
  const { post } = journal.plan;
  for (let hook = post[journal.row.position]; hook; hook = post[journal.row.position]) {
    if (!runsAfter(hook, status)) {
      await journal.end(null, null);
    } else if (journal.row.tries >= maxTries) {
      const { name } = hook;
      const failure = say`hook_interrupted: The post-backup hook "${{ name }}" was interrupted ${{ tries: maxTries }} times and is not run again.`;
      log({ level: 'error', text: failure.text });
      await journal.end(null, hook.counts ? failure : null);
    } else {
      const run = { journal, hook, type: 'post-backup' as const, status, signal: journal.lost, log };
      const { result, failure } = await runHook(needs, run);
      journal.lost.throwIfAborted();
      if (failure && !hook.counts) remark?.(failure);
      await journal.end(result, hook.counts ? failure : null);
    }
  }
  if (held.length === 0) await journal.close();
  return [...journal.row.failures.map(messageFrom), ...held];
}

/** What could not be released keeps the journal open, and is tried again. */
async function release(
  needs: HookNeeds,
  { journal, log }: Pick<Phase, 'journal' | 'log'>,
): Promise<Message[]> {
  const { sources } = journal.plan;
  if (!sources) return [];
  const repository = { source_connection_id: sources.connectionId };
  const parts = { journal: journal.sources, sources: sources.all, repository, log, signal: journal.lost };
  return releaseSources(needs, parts);
}

export const removeScriptRuns = (session: StorageSession, ids: readonly number[]) =>
  session.remove(scriptRuns, { id: { in: ids } });
