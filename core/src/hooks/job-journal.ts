import { randomUUID } from 'node:crypto';
import type { HookPlan } from './hook.rules.js';
import { isStoreError } from '../kernel/errors.js';
import { inOwnTransaction } from '../kernel/in-own-transaction.js';
import type { JobContext } from '../jobs/job-contract.js';
import { type HookJournalRow, hookJournals } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { HookJournal, type JournalNeeds, planPurpose } from './hook-journal.js';

type Needs = JournalNeeds & Pick<Dependencies, 'scriptRunner'>;

/** Opens the journal of a job's hooks, before the first of them begins. */
export async function openJobJournal(
  needs: Needs,
  { job, repository, lost }: JobContext,
  plan: HookPlan,
): Promise<HookJournal> {
  const uid = randomUUID();
  const row = await inOwnTransaction(needs.storage, job, async (session) => {
    const [written] = await session.find(hookJournals, { where: { uid }, limit: 1 });
    return (
      written ??
      session.insert(hookJournals, {
        ...{ uid, scope: 'job', job_id: job.id, repository_id: repository.id, job_ids: [job.id] },
        plan: needs.secrets.seal(planPurpose(uid), JSON.stringify(plan)),
        ...{ stage: 'before', failures: [], fence: job.fence, created_at: needs.clock.now() },
      })
    );
  });
  return new HookJournal(needs, row, lost);
}

/**
 * The journal that an earlier run of the job opened, now in the hands of this one; null when there is none.
 * What that run left running is ended first.
 */
export async function takeOverJobJournal(
  needs: Needs,
  { job, lost, log }: JobContext,
): Promise<HookJournal | null> {
  const where = { scope: 'job' as const, job_id: job.id };
  const [found] = await needs.storage.find(hookJournals, { where, limit: 1 });
  if (!found) return null;
  const taken = { id: found.id, fence: { lt: job.fence } };
  if (
    found.fence !== job.fence &&
    (await needs.storage.update(hookJournals, taken, { fence: job.fence })) === 0
  ) {
    return null;
  }
  const [row] = await needs.storage.find(hookJournals, { where: { id: found.id }, limit: 1 });
  if (!row) return null;
  await endLeftover(needs, row);
  if (row.process) log({ level: 'warning', text: 'A hook was cut off when the service ended.' });
  return new HookJournal(needs, row, lost);
}

/**
 * Two of one job's hooks never run at a time, so that what an earlier run left is ended before anything else.
 */
export async function endLeftover(
  { scriptRunner, log }: Pick<Needs, 'scriptRunner' | 'log'>,
  { id, process }: Pick<HookJournalRow, 'id' | 'process'>,
): Promise<void> {
  if (!process) return;
  try {
    const found = await scriptRunner.endProcess(process);
    log.info('looked for a hook that was left behind', { journal: id, process, found });
  } catch (error) {
    if (isStoreError(error)) throw error;
    log.error('a hook that was left behind could not be ended', { journal: id, process, error });
  }
}
