import type { StorageSession } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { JobAborted, noteSources } from '../../engine/jobs/index.js';
import { heldRow, inTransaction, Message, messageFrom, untilStored } from '../../foundation/kernel/index.js';
import type { ScriptResult } from '../../foundation/ports/script-runner.js';
import type { SourceJournal } from '../sources/index.js';
import type { SourceState } from '../sources/tables.js';
import type { HooksNeeds } from './needs.js';
import type { BackupStatus, HookPlan, HookType, JournalStage, PlannedHook } from './script.rules.js';
import { type HookJournalRow, hookJournals, scriptRuns } from './tables.js';

export type JournalNeeds = HooksNeeds;

type Patch = Partial<HookJournalRow>;
type Begun = { hook: PlannedHook; type: HookType; process: ToolProcess };

export const planPurpose = (uid: string): string => `hook-plan:${uid}`;

const shownSource = ({ kind, name, dumps, begun, prepared, released, failure }: SourceState) => ({
  kind,
  name,
  dumps: dumps.length,
  begun,
  prepared,
  released,
  failure,
});

export function refusalIn({ refusal, refusal_code, refusal_params }: HookJournalRow): Message | null {
  if (refusal === null) return null;
  if (refusal_code === null) return messageFrom(refusal);
  return new Message(refusal_code, refusal_params ?? {}, refusal);
}

/**
 * A hook journal as held by one run. Each write is a compare-and-set on the run's fence and is retried while
 * the storage is down. Rejects with JobAborted `lost` when another run has taken over the journal.
 */
export class HookJournal {
  readonly #needs: JournalNeeds;
  /** Aborted when this run must stop. */
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

  /** Call before the first command of a hook. Records the process to terminate if this run dies. */
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

  /**
   * Call after a hook, which then never runs again for this journal. `failure` is set when the failure
   * counts.
   */
  end(result: ScriptResult | null, failure: Message | null): Promise<void> {
    const { position, failures } = this.#row;
    const added = failure === null ? {} : { failures: [...failures, { ...failure }] };
    const patch = { ...added, process: null, tries: 0, position: position + 1 };
    return this.#write(patch, (session) => this.#endScriptRuns(session, result));
  }

  /** `alsoWrite` adds writes to the same transaction. */
  enter(stage: JournalStage, patch: Patch = {}, alsoWrite?: (session: StorageSession) => Promise<void>) {
    return this.#write({ ...patch, stage, position: 0, tries: 0, process: null }, async (session) => {
      await this.#endScriptRuns(session, null);
      await alsoWrite?.(session);
    });
  }

  /** No backup starts. */
  refuse({ text: refusal, code, params }: Message, alsoWrite?: (session: StorageSession) => Promise<void>) {
    return this.enter('refused', { refusal, refusal_code: code, refusal_params: params }, alsoWrite);
  }

  /** Why no backup starts; null while one may. Those of earlier releases have no code. */
  get refusal(): Message | null {
    return refusalIn(this.#row);
  }

  enterAfter(status: BackupStatus): Promise<void> {
    return this.enter('after', { backup_status: status, failures: [] });
  }

  /** The sources of the job, with what was done with each. */
  get sources(): SourceJournal {
    return {
      states: () => this.#row.sources ?? [],
      write: (state) => {
        const all = new Map((this.#row.sources ?? []).map((one) => [one.uid, one]));
        // One that is written again keeps its position: they are released in reverse.
        const sources = [...all.set(state.uid, state).values()];
        return this.#write({ sources }, async (session) => {
          await noteSources(session, this.#row.job_id, sources.map(shownSource));
        });
      },
    };
  }

  /** Nothing remains to be run. Clears the plan, because it contains secrets. */
  close(): Promise<void> {
    return this.enter('closed', { plan: '', closed_at: this.#needs.clock.now(), lease_until: null });
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

  async #write(patch: Patch, alsoWrite: (session: StorageSession) => Promise<void>): Promise<void> {
    const { storage, log } = this.#needs;
    const write = () =>
      inTransaction(storage, async (session) => {
        if (this.lost.aborted) return false;
        if ((await session.update(hookJournals, heldRow(this.#row), patch)) === 0) return false;
        await alsoWrite(session);
        return true;
      });
    const onAway = (error: unknown) => log.warn('could not write the hook journal; retrying', { error });
    const held = await untilStored(write, { signal: this.lost, onAway });
    if (!held) throw new JobAborted('lost');
    this.#row = { ...this.#row, ...patch };
  }
}
