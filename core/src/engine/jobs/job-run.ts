import { isStoreError, type Log, type StorageSession } from '@holdfast/plugin-api';
import type { OperationOptions, ToolProcess } from '@holdfast/plugin-api/driver';
import { say, untilStored } from '../../foundation/kernel/index.js';
import type { RepositoryRow } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import type { HeldPlace } from './held-place.fs.js';
import { describeJob } from './job.rules.js';
import { type AbortReason, JobAborted } from './job-aborted.js';
import type { JobContext } from './job-contract.js';
import { FencedRow, JobLease } from './job-lease.js';
import { JobLogWriter } from './job-log.js';
import {
  cancelled,
  ended,
  failureMessage,
  interrupted,
  type NextJob,
  registrationRemoved,
  settleJob,
  type Verdict,
  verdictOf,
} from './job-settlement.js';
import type { TakenJob } from './job-taking.js';
import { ProgressMeter, ProgressWriter } from './progress.js';
import type { RunningJob } from './running-jobs.js';

/** This service holds the lane, but another program or a leftover process may briefly hold the lock of the tool. */
const toolLockWaitSeconds = 30;

/** Runs one taken job on this instance, from its first write to its last. */
export class JobRun implements RunningJob {
  readonly done: Promise<void>;
  readonly #core: EngineCore;
  readonly #mode: 'run' | 'recover';
  readonly #taken: TakenJob;
  readonly #next: NextJob | null;
  readonly #place: HeldPlace | null;
  readonly #log: Log;
  readonly #abort = new AbortController();
  readonly #lost = new AbortController();
  readonly #row: FencedRow;
  readonly #lease: JobLease;
  readonly #journal: JobLogWriter;
  readonly #meter: ProgressMeter;
  readonly #progress: ProgressWriter;
  #toolWrites: Promise<unknown> = Promise.resolve();
  #abortReason: AbortReason | null = null;

  constructor(
    core: EngineCore,
    taken: TakenJob,
    mode: 'run' | 'recover',
    { next, place }: { next: NextJob | null; place: HeldPlace | null },
  ) {
    const { storage, clock, redactor, timings } = core;
    this.#core = core;
    this.#mode = mode;
    this.#taken = taken;
    this.#next = next;
    this.#place = place;
    const log = core.log.child({ job: taken.job.id, kind: taken.job.kind });
    this.#log = log;
    const row = new FencedRow(storage, taken.job, () => {
      this.#lost.abort(new JobAborted('lost'));
      this.abort('lost');
    });
    this.#row = row;
    const onCancel = () => this.abort('cancelled');
    this.#lease = new JobLease({ row, clock, log, timings, takenAt: taken.takenAt, onCancel });
    this.#journal = new JobLogWriter(
      { storage, row, redactor, clock, log, every: timings.logEvery },
      taken.job,
    );
    this.#meter = new ProgressMeter(taken.job.progress, () => performance.now());
    this.#progress = new ProgressWriter(this.#meter, row, log);
    this.done = this.#execute();
  }

  /** The first reason counts. A recovery only finds out the result of the job, so it can't be cancelled. */
  abort(reason: AbortReason): void {
    if (this.#abortReason || (reason === 'cancelled' && this.#mode === 'recover')) return;
    this.#abortReason = reason;
    this.#abort.abort(new JobAborted(reason));
  }

  async #execute(): Promise<void> {
    this.#lease.start();
    this.#progress.start(this.#core.timings.progressEvery);
    try {
      const verdict = await (this.#mode === 'run' ? this.#attempt() : this.#recover());
      this.#progress.stop();
      if (this.#row.lost) this.#log.warn('the job was lost: another instance will recover it');
      else if (verdict) await this.#settle(verdict);
      else await this.#row.update({ lease_until: this.#core.clock.now() });
    } catch (error) {
      this.#log.error('the end of a job could not be written; it will be recovered', { error });
    } finally {
      this.#place?.end();
      this.#progress.stop();
      this.#lease.stop();
      this.#journal.close();
    }
  }

  /** Null when this run must not end the job. */
  async #attempt(): Promise<Verdict | null> {
    const { job, repository } = this.#taken;
    const handler = this.#core.handlers.get(job.kind);
    if (!repository && handler?.lane !== 'none') return ended('failed', registrationRemoved());
    if (!handler) {
      const { kind } = job;
      return ended(
        'failed',
        say`job_kind_unsupported: This release of Holdfast does not support ${{ kind }} jobs.`,
      );
    }
    try {
      const result = await handler[this.#mode](this.#context(repository));
      return verdictOf(result, this.#abortReason, this.#core.redactor);
    } catch (error) {
      if (error instanceof JobAborted && error.reason === 'lost') this.#row.lose();
      if (this.#row.lost) return null;
      if (this.#abortReason === 'cancelled') return cancelled;
      if (this.#abortReason === 'shutdown') return this.#mode === 'run' ? interrupted : null;
      return this.#failure(error);
    }
  }

  async #recover(): Promise<Verdict | null> {
    const { job } = this.#taken;
    this.#log.warn('recovering a job whose instance vanished', { tool: job.tool });
    if (job.tool) await this.#endLeftover(job.tool);
    if (!job.cancel_requested) return this.#attempt();
    if (!this.#core.handlers.get(job.kind)?.recoversCancelled) return cancelled;
    const verdict = await this.#attempt();
    return verdict?.status === 'failed' ? cancelled : verdict;
  }

  async #endLeftover(tool: ToolProcess): Promise<void> {
    try {
      const found = await this.#core.driver.endProcess(tool);
      this.#log.info('checked for a leftover Borg process', { tool, found });
    } catch (error) {
      this.#log.error('a leftover Borg process could not be stopped', { tool, error });
    }
  }

  #failure(error: unknown): Verdict {
    const known = failureMessage(error, this.#core.redactor);
    this.#log[known ? 'info' : 'error'](`${describeJob(this.#taken.job)} failed`, { error });
    const message =
      known ?? say`job_error_unexpected: An unexpected error ended the job: see the Holdfast log.`;
    if (this.#mode === 'run') return ended('failed', message);
    const { text: reason, code: reason_code } = message;
    const lost = say`job_result_unknown: Holdfast stopped while the job ran, and its result could not be determined: ${{ reason }}`;
    return ended('failed', lost.with({ reason_code }));
  }

  #context(repository: RepositoryRow | null): JobContext {
    return {
      job: this.#taken.job,
      get repository() {
        if (repository) return repository;
        throw new Error('This job belongs to no repository.');
      },
      signal: this.#abort.signal,
      lost: this.#lost.signal,
      progress: (patch) => this.#meter.add(patch),
      log: (line) => this.#journal.add(line),
      toolOptions: () => this.#toolOptions(),
    };
  }

  #toolOptions(): OperationOptions {
    return {
      signal: this.#abort.signal,
      beforeStart: () => this.#lease.requireFresh(),
      onLog: (line) => this.#journal.add(line),
      onProcess: (process) => {
        this.#place?.watch(process.pid);
        const recorded = this.#recordTool(process);
        this.#toolWrites = Promise.allSettled([this.#toolWrites, recorded]);
        return recorded;
      },
      lockWaitSeconds: toolLockWaitSeconds,
    };
  }

  /**
   * An instance that takes the job over must be able to end the tool, so the tool starts only after this write. It is
   * retried while the job is ours.
   */
  async #recordTool(tool: ToolProcess): Promise<void> {
    try {
      await this.#untilWritten(() => this.#row.update({ tool }));
    } catch (error) {
      this.#log.error('the Borg process could not be recorded, so Borg is not started', {
        tool,
        error,
      });
      throw error;
    }
  }

  async #settle(verdict: Verdict): Promise<void> {
    this.#place?.end();
    const { status, error, outcome } = verdict;
    if (error) this.#journal.add({ level: status === 'failed' ? 'error' : 'warning', text: error.text });
    const complete = status === 'completed' || status === 'completed_with_warnings';
    const progress = this.#meter.final(verdict.progress, complete);
    this.#lease.persist();
    await this.#toolWrites;
    const settled = await this.#untilWritten(async () => {
      await this.#flushJournal({ butLast: true });
      const log = {
        writeLast: (session: StorageSession) => this.#journal.writeLast(session),
        writeAlone: () => this.#flushJournal(),
      };
      return settleJob(this.#core, {
        job: this.#taken.job,
        from: 'running',
        end: { status, error, outcome },
        progress,
        log,
        next: this.#next,
      });
    });
    if (!settled)
      this.#log.warn('the job was taken over before its result could be written', {
        status,
        error: error?.text,
      });
  }

  /** A log that the storage rejects, other than by being unavailable, must not keep the job from ending. */
  async #flushJournal(options?: { butLast: boolean }): Promise<void> {
    try {
      await this.#journal.flush(options);
    } catch (error) {
      if (isStoreError(error) && error.retryable) throw error;
      this.#log.error('the log of a job could not be written', { error });
    }
  }

  /** Retries a write while the storage is unavailable; its compare-and-set makes a late one harmless. */
  #untilWritten<T>(write: () => Promise<T>): Promise<T> {
    const onAway = (error: unknown) => this.#log.warn('a job could not be written; retrying', { error });
    return untilStored(write, { onAway });
  }
}
