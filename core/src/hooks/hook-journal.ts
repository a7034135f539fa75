import type { StorageSession } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { JobAborted } from '../jobs/index.js';
import { inTransaction, untilStored } from '../kernel/index.js';
import type { ScriptResult } from '../ports/script-runner.js';
import type { HooksNeeds } from './needs.js';
import type { BackupStatus, HookPlan, HookType, JournalStage, PlannedHook } from './script.rules.js';
import { type HookJournalRow, hookJournals, scriptRuns } from './tables.js';

export type JournalNeeds = Pick<HooksNeeds, 'storage' | 'secrets' | 'clock' | 'log'>;

type Patch = Partial<HookJournalRow>;
type Begun = { hook: PlannedHook; type: HookType; process: ToolProcess };

export const planPurpose = (uid: string): string => `hook-plan:${uid}`;

/**
 * The journal of one bracket of hooks in the hands of one run. Each write is a compare-and-set on the run's
 * fence and is repeated while the storage is away; when another run holds the journal by now it rejects with
 * JobAborted `lost`.
 */
export class HookJournal {
  readonly #needs: JournalNeeds;
  /** Aborted when this run may do nothing any more. */
  readonly lost: AbortSignal;
  #row: HookJournalRow;
  #plan: HookPlan | undefined;

  constructor(needs: JournalNeeds, row: HookJournalRow, lost: AbortSignal) {
    this.#needs = needs;
    this.#row = row;
    this.lost = lost;
  }

  get row(): Readonly<HookJournalRow> {
    return this.#row;
  }

  get plan(): HookPlan {
    const { uid, plan } = this.#row;
    this.#plan ??= JSON.parse(this.#needs.secrets.open(planPurpose(uid), plan)) as HookPlan;
    return this.#plan;
  }

  /** Before the first command of a hook: what would have to be ended if this run vanished. */
  begin({ hook, type, process }: Begun): Promise<void> {
    const patch = { process, tries: this.#row.tries + 1 };
    return this.#write(patch, async (session) => {
      await this.#endScriptRuns(session, null);
      if (hook.scriptId === null) return;
      const { id, repository_id, job_id } = this.#row;
      const whose = { script_id: hook.scriptId, journal_id: id, repository_id, job_id };
      const started_at = this.#needs.clock.now();
      await session.insert(scriptRuns, { ...whose, hook_type: type, status: 'running', started_at });
    });
  }

  /** After a hook: it never runs again for this journal. `failure`: when it counts. */
  end(result: ScriptResult | null, failure: string | null): Promise<void> {
    const { position, failures } = this.#row;
    const told = failure === null ? {} : { failures: [...failures, failure] };
    const patch = { ...told, process: null, tries: 0, position: position + 1 };
    return this.#write(patch, (session) => this.#endScriptRuns(session, result));
  }

  /** `with` adds writes to the same transaction. */
  enter(stage: JournalStage, patch: Patch = {}, withIt?: (session: StorageSession) => Promise<void>) {
    return this.#write({ ...patch, stage, position: 0, tries: 0, process: null }, async (session) => {
      await this.#endScriptRuns(session, null);
      await withIt?.(session);
    });
  }

  enterAfter(status: BackupStatus): Promise<void> {
    return this.enter('after', { backup_status: status, failures: [] });
  }

  /** Nothing is owed any more; the plan, which holds secrets, goes. */
  close(): Promise<void> {
    return this.enter('closed', { plan: '', closed_at: this.#needs.clock.now(), lease_until: null });
  }

  renew(lease_until: number): Promise<number> {
    return this.#needs.storage.update(hookJournals, this.#mine(), { lease_until });
  }

  #mine() {
    return { id: this.#row.id, fence: this.#row.fence };
  }

  async #endScriptRuns(session: StorageSession, result: ScriptResult | null): Promise<void> {
    await session.update(
      scriptRuns,
      { journal_id: this.#row.id, status: 'running' },
      {
        status: result?.end === 'exited' && result.exitCode === 0 ? 'completed' : 'failed',
        completed_at: this.#needs.clock.now(),
        exit_code: result?.exitCode ?? null,
        execution_time: result?.seconds ?? null,
      },
    );
  }

  async #write(patch: Patch, withIt: (session: StorageSession) => Promise<void>): Promise<void> {
    const { storage, log } = this.#needs;
    const write = () =>
      inTransaction(storage, async (session) => {
        if (this.lost.aborted) return false;
        if ((await session.update(hookJournals, this.#mine(), patch)) === 0) return false;
        await withIt(session);
        return true;
      });
    const onAway = (error: unknown) =>
      log.warn('the journal of hooks could not be written; trying again', { error });
    const held = await untilStored(write, { signal: this.lost, onAway });
    if (!held) throw new JobAborted('lost');
    this.#row = { ...this.#row, ...patch };
  }
}
