import { type BackupStatus, runsAfter } from './hook.rules.js';
import type { ToolLogLine } from '../ports/backup-driver.js';
import type { HookJournal } from './hook-journal.js';
import { type HookNeeds, runHook } from './run-hook.js';

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
