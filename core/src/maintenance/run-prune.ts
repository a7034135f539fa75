import type { PruneOutcome, PruneParameters } from './maintenance-job.rules.js';
import { keepsAnything, type RetentionPlan } from './retention.rules.js';
import type { ArchiveSummary, RepositoryTarget } from '../ports/backup-driver.js';
import { inOwnTransaction } from '../kernel/in-own-transaction.js';
import type { JobContext, JobResult } from '../jobs/job-contract.js';
import { schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { rewriteInventory } from '../repositories/inventory/rewrite-inventory.js';
import { openTarget } from '../repositories/open-target.js';
import { readStoredSize } from '../archives/stored-size.js';
import { planPrune } from './plan-prune.js';

export type PruneNeeds = Pick<
  Dependencies,
  'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor' | 'settings'
>;

const hourMs = 3_600_000;

const withTarget =
  (work: (needs: PruneNeeds, context: JobContext, target: RepositoryTarget) => Promise<JobResult>) =>
  (needs: PruneNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs)(context.repository);
    try {
      return await work(needs, context, target);
    } finally {
      release();
    }
  };

/** Removes by name what the rules do not keep; the job's log says why each archive stays. */
export const runPrune = withTarget(async (needs, context, target) => {
  const refused = await refusal(needs, context);
  if (refused) return { status: 'failed', error: refused };
  const plan = await planNow(needs, context, target);
  const { kept, removed } = plan;
  for (const { archive, reason } of kept) {
    context.log({ level: 'info', text: `Keeping archive (rule: ${reason}): ${described(archive)}` });
  }
  const outcome: PruneOutcome = { plan: planned(plan), removed: [], repositoryStoredSize: null };
  const { byHand } = context.job.parameters as PruneParameters;
  if (byHand?.dryRun) return { ...tellOnly(context, plan), outcome };
  if (byHand && !byHand.moreThanHalf && removed.length > kept.length) {
    return { status: 'failed', error: tooMany(plan), outcome };
  }
  const warnings = removed.length > 0 ? await removeAll(needs, context, { target, removed }) : [];
  outcome.removed = removed.map(({ name }) => name);
  context.log({ level: 'info', text: `Kept ${kept.length} archives and removed ${removed.length}.` });
  if (removed.length > 0) outcome.repositoryStoredSize = await readStoredSize(needs, context, target);
  return {
    status: warnings.length > 0 ? 'completed_with_warnings' : 'completed',
    error: warnings.length > 0 ? warnings.join(' ') : null,
    outcome,
    progress: { percent: 100, message: null },
  };
});

type Plan = RetentionPlan<ArchiveSummary>;

const planned = ({ kept, removed }: Plan): PruneOutcome['plan'] =>
  [
    ...kept.map(({ archive, reason }) => ({ archive, rule: reason })),
    ...removed.map((archive) => ({ archive, rule: null })),
  ]
    .sort((a, b) => b.archive.start - a.archive.start)
    .map(({ archive: { name, start }, rule }) => ({ name, start, rule }));

function tellOnly(context: JobContext, { kept, removed }: Plan): JobResult {
  for (const archive of removed) context.log({ level: 'info', text: `Would remove: ${described(archive)}` });
  context.log({ level: 'info', text: `Would keep ${kept.length} archives and remove ${removed.length}.` });
  return { status: 'completed', progress: { percent: 100, message: null } };
}

const tooMany = ({ kept, removed }: Plan): string =>
  `Refused: ${removed.length} of ${kept.length + removed.length} archives would be removed, which is more than half. ` +
  'Look at them with dry_run, then send confirm_more_than_half with it. Nothing was removed.';

/** Asks the repository what became of a prune whose server process vanished: it is done when nothing is left to remove. */
export const recoverPrune = withTarget(async (needs, context, target) => {
  const { byHand } = context.job.parameters as PruneParameters;
  if (byHand?.dryRun) {
    return {
      status: 'failed',
      error: 'Interrupted: the service ended during the dry run. Ask for it again.',
    };
  }
  const { removed } = await planNow(needs, context, target);
  if (removed.length === 0) return { status: 'completed', progress: { percent: 100 } };
  const next = byHand ? 'Prune again to remove them.' : 'The next run of the schedule removes them.';
  return {
    status: 'failed',
    error:
      `Interrupted: the service ended during the prune, and ${removed.length} archives that it was to remove are ` +
      `still there. ${next}`,
  };
});

async function refusal({ storage }: PruneNeeds, { repository, job }: JobContext): Promise<string | null> {
  const { rules, scheduleId, byHand } = job.parameters as PruneParameters;
  if (repository.mode === 'observe' && !byHand?.dryRun)
    return 'The repository is in observe mode, which only reads.';
  if (scheduleId !== null) {
    const [schedule] = await storage.find(schedules, { where: { id: scheduleId }, limit: 1 });
    if (!schedule) return 'The schedule was deleted before its prune ran: its archives stay.';
  }
  if (byHand || keepsAnything(rules)) return null;
  return 'No retention rule keeps anything: set at least one of the prune_keep_ counts of the schedule above 0.';
}

/** From a listing made now, which the inventory learns too: others may have changed the repository. */
async function planNow(
  needs: PruneNeeds,
  context: JobContext,
  target: RepositoryTarget,
): Promise<RetentionPlan<ArchiveSummary>> {
  const { rules, scheduleId, backupJobId, byHand } = context.job.parameters as PruneParameters;
  const { storage, driver, clock } = needs;
  const askedAt = clock.now();
  const since = byHand?.withinHours == null ? {} : { since: askedAt - byHand.withinHours * hourMs };
  const { value: listed } = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
  const told = { archives: listed, askedAt };
  const learnt = await inOwnTransaction(storage, context.job, (session) =>
    rewriteInventory(needs)(context.repository, told, session),
  );
  needs.events.announce(learnt);
  const question = { listed, rules: { ...rules, ...since }, scheduleId, backupJobId, now: askedAt };
  return planPrune(storage, { ...question, repositoryId: context.repository.id });
}

/** The warnings. An archive that someone else removed before is one. */
async function removeAll(
  { driver }: PruneNeeds,
  context: JobContext,
  { target, removed }: { target: RepositoryTarget; removed: ArchiveSummary[] },
): Promise<string[]> {
  for (const archive of removed)
    context.log({ level: 'info', text: `Removing archive: ${described(archive)}` });
  context.progress({ percent: 50, message: `Removing ${removed.length} archives` });
  const names = removed.map(({ name }) => name);
  const { value, warnings } = await driver.deleteArchives(target, { archives: names }, context.toolOptions());
  if (value.missing.length === 0) return warnings;
  return [`Archives that were not there any more: ${value.missing.join(', ')}.`, ...warnings];
}

const described = ({ name, start }: ArchiveSummary): string => `${name} (${new Date(start).toISOString()})`;
