import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { isDriverError } from '@holdfast/plugin-api/driver';
import { isSilent } from '@holdfast/plugin-api/files';
import type { EventRow, NewEvent } from '../../foundation/events/index.js';
import {
  errorColumns,
  inTransaction,
  isAppError,
  type Message,
  messageOf,
  say,
  waitingColumns,
} from '../../foundation/kernel/index.js';
import type { Redactor } from '../../foundation/ports/services.js';
import { repositories } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import type { JobProgress } from './job.rules.js';
import type { AbortReason } from './job-aborted.js';
import type { JobEnd, JobResult, Settlement } from './job-contract.js';
import { jobEvent } from './job-events.js';
import { noteEnded } from './job-figures.js';
import { plainText } from './job-log-line.js';
import type { TakenJob } from './job-taking.js';
import { jobHolderId, leaveLane } from './lanes.js';
import { type JobRow, jobs } from './tables.js';

export interface Ending {
  job: Pick<JobRow, 'id' | 'fence'>;
  from: 'pending' | 'running';
  end: JobEnd;
  progress?: JobProgress;
  log?: EndingLog;
  next?: NextJob | null;
}

/** The job that takes the place of the one that ends. It is taken in the same transaction, which saves a commit. */
export interface NextJob {
  take(session: StorageSession): Promise<TakenJob | null>;
  /** After the commit. */
  run(taken: TakenJob): Promise<void>;
}

/** The unwritten part of the log. */
interface EndingLog {
  /** Called in the transaction that ends the job; resolves to the changes for its row. */
  writeLast(session: StorageSession): Promise<Partial<JobRow>>;
  /** Called before it, when the storage rejected both together. */
  writeAlone(): Promise<void>;
}

/**
 * Ends a job in one transaction: its terminal state, its place in the lane, its events and what its handler adds.
 * Then announces the events. Null when the job was no longer in the state `from`. Rejects only with a retryable
 * StoreError: other errors of the handler are logged, and the job ends without its part.
 */
export async function settleJob(core: EngineCore, ending: Ending): Promise<JobRow | null> {
  const { log, next, ...rest } = ending;
  let mayTake = true;
  const attempt = (parts: Parts) =>
    inTransaction(core.storage, async (session) => {
      const takes = mayTake;
      // Not on a retry: another instance may want the same job, and ending this one matters more.
      mayTake = false;
      const ended = await write(core, session, { ...rest, ...parts });
      return ended && { ...ended, taken: takes ? await next?.take(session) : null };
    });
  const alone = (error: unknown) => {
    if (isStoreError(error) && error.retryable) throw error;
    core.log.error('the final changes of a job could not be written', {
      job: ending.job.id,
      error,
    });
    return attempt({ withHandler: false });
  };
  const withoutLog = async (error: unknown) => {
    if (!log || (isStoreError(error) && error.retryable)) throw error;
    await log.writeAlone();
    return attempt({ withHandler: true });
  };
  const written = await attempt({ withHandler: true, log }).catch(withoutLog).catch(alone);
  if (!written) return null;
  core.events.announce(written.events);
  core.ledger.note(ending.job.id);
  if (written.taken) await next?.run(written.taken);
  return written.job;
}

interface Parts extends Pick<Ending, 'log'> {
  withHandler: boolean;
}

async function write(
  core: EngineCore,
  session: StorageSession,
  { job: { id, fence }, from, end, progress, log, withHandler }: Ending & Parts,
): Promise<{ job: JobRow; events: EventRow[] } | null> {
  const where = { id, fence, status: from };
  const [before] = await session.find(jobs, { where, limit: 1 });
  if (!before) return null;
  const patch = {
    status: end.status,
    completed_at: core.clock.now(),
    ...errorColumns(end.error),
    outcome: end.outcome,
    reported: null,
    owner: null,
    lease_until: null,
    ...waitingColumns(null),
    ...(progress ? { progress } : {}),
    ...(await log?.writeLast(session)),
  };
  if ((await session.update(jobs, where, patch)) === 0) return null;
  const job: JobRow = { ...before, ...patch };
  await noteEnded(session, job);
  if (job.repository_id !== null) await leaveLane(session, job.repository_id, jobHolderId(id));
  const event = await core.events.record(session, jobEvent('job_ended', job));
  return { job, events: [event, ...(withHandler ? await handlersPart(core, session, { job, end }) : [])] };
}

async function handlersPart(
  core: EngineCore,
  session: StorageSession,
  { job, end }: { job: JobRow; end: JobEnd },
): Promise<EventRow[]> {
  const where = { id: job.repository_id ?? 0 };
  const [repository] = await session.find(repositories, { where, limit: 1 });
  const settlement: Settlement = core.handlers.get(job.kind)?.settle(job, end, repository ?? null) ?? {};
  const recorded: EventRow[] = [];
  const record = async (event: NewEvent) => void recorded.push(await core.events.record(session, event));
  for (const event of settlement.events ?? []) await record(event);
  await settlement.commit?.(session, record);
  return recorded;
}

/** How a run ended, before it is written. */
export interface Verdict extends JobEnd {
  progress: Partial<JobProgress>;
}

const maxTextLength = 2_000;

export const cancelled: Verdict = ended('cancelled', say`job_cancelled: Cancelled by a user.`);
export const interrupted: Verdict = {
  ...ended('failed', say`job_interrupted: Interrupted: Holdfast stopped while the job ran. Start it again.`),
  outcome: { interrupted: true },
};

export const registrationRemoved = () =>
  say`job_registration_removed: The repository was removed from Holdfast.`;

export const textOf = ({ error }: Pick<JobEnd, 'error'>): string | null => error?.text ?? null;

/** True for a job that was interrupted because the service was stopped. */
export const wasInterrupted = ({ outcome }: Pick<JobEnd, 'outcome'>): boolean =>
  outcome?.interrupted === true;

export function ended(status: JobEnd['status'], error: Message | null): Verdict {
  return { status, error, outcome: null, progress: {} };
}

/** The verdict from the result of a handler. A failure after a cancellation counts as cancelled. */
export function verdictOf(result: JobResult, reason: AbortReason | null, redactor: Redactor): Verdict {
  const { status, outcome = null, progress = {} } = result;
  if (status === 'failed' && reason === 'cancelled') return { ...cancelled, outcome, progress };
  const unexplained = status === 'failed' ? say`job_failed: The job failed: see its log.` : null;
  const error = result.error ?? unexplained;
  return { status, error: error && shortened(error, redactor), outcome, progress };
}

/** For users, about what a handler threw; null for an unknown error. */
export function failureMessage(error: unknown, redactor: Redactor): Message | null {
  if (isAppError(error) || isDriverError(error) || isSilent(error))
    return shortened(messageOf(error), redactor);
  if (!isStoreError(error)) return null;
  return say`job_storage_failed: The database failed while the job ran. Start it again.`;
}

const shortened = (message: Message, redactor: Redactor): Message =>
  message.map((text) => shortText(text, redactor));

function shortText(text: string, redactor: Redactor): string {
  const safe = redactor.redact(text);
  return plainText(safe.length <= maxTextLength ? safe : `${safe.slice(0, maxTextLength)}…`);
}
