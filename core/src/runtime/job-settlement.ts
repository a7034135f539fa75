import type { JobProgress } from '../domain/job.js';
import { isStoreError } from '../errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type EventRow, type JobRow, jobs, repositories } from '../schema/tables.js';
import type { EngineCore } from './engine-core.js';
import { inTransaction } from './in-transaction.js';
import type { JobEnd, Settlement } from './job-contract.js';
import { noteEnded } from './job-figures.js';
import { jobHolderId, leaveLane } from './lane-book.js';

export interface Ending {
  job: Pick<JobRow, 'id' | 'fence'>;
  from: 'pending' | 'running';
  end: JobEnd;
  progress?: JobProgress;
}

/**
 * Ends a job: its terminal state, its place in the lane, its events and what its handler adds, in one
 * transaction; then tells the followers. Null when the job was not in that state any more. Rejects with a
 * retryable StoreError only: what else the handler's part throws is logged, and the job ends without it.
 */
export async function settleJob(core: EngineCore, ending: Ending): Promise<JobRow | null> {
  const attempt = (withHandler: boolean) =>
    inTransaction(core.storage, (session) => write(core, session, { ...ending, withHandler }));
  const written = await attempt(true).catch((error: unknown) => {
    if (isStoreError(error) && error.retryable) throw error;
    core.log.error('what belongs to the end of a job could not be written', { job: ending.job.id, error });
    return attempt(false);
  });
  if (!written) return null;
  core.events.announce(written.events);
  return written.job;
}

async function write(
  core: EngineCore,
  session: StorageSession,
  { job: { id, fence }, from, end, progress, withHandler }: Ending & { withHandler: boolean },
): Promise<{ job: JobRow; events: EventRow[] } | null> {
  const where = { id, fence, status: from };
  const [before] = await session.find(jobs, { where, limit: 1 });
  if (!before) return null;
  const patch = {
    status: end.status,
    completed_at: core.clock.now(),
    error_message: end.error,
    outcome: end.outcome,
    reported: null,
    owner: null,
    lease_until: null,
    waiting_for: null,
    ...(progress ? { progress } : {}),
  };
  if ((await session.update(jobs, where, patch)) === 0) return null;
  const job: JobRow = { ...before, ...patch };
  await noteEnded(session, job);
  if (job.repository_id !== null) await leaveLane(session, job.repository_id, jobHolderId(id));
  return { job, events: withHandler ? await handlersPart(core, session, { job, end }) : [] };
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
  for (const event of settlement.events ?? []) recorded.push(await core.events.record(session, event));
  await settlement.commit?.(session);
  return recorded;
}
