import type { StorageSession } from '@holdfast/plugin-api';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { EndedJob, JobContext, JobEnd, JobHandler, JobResult } from '../../engine/jobs/index.js';
import { inOwnTransaction, succeeded } from '../../engine/jobs/index.js';
import { type Message, say, together, toolWarnings } from '../../foundation/kernel/index.js';
import { readStoredSize } from '../archives/index.js';
import {
  archivesChanged,
  noteRepository,
  openTarget,
  removeArchives,
  rewriteInventory,
} from '../repositories/index.js';
import type { NoteSchedule } from '../schedules/calendar/index.js';
import { schedules } from '../schedules/tables.js';
import type { PruneOutcome, PruneParameters } from './maintenance-job.rules.js';
import { observedOnly } from './maintenance-jobs.js';
import type { ListedArchive } from './members.js';
import type { MaintenanceNeeds } from './needs.js';
import { queueAfterPrune } from './queue-maintenance.js';
import { keepsAnything, type RetentionPlan } from './retention.rules.js';
import { findPause, pauseText } from './retention-pauses.js';
import { weigh } from './weigh.js';

export type PruneNeeds = MaintenanceNeeds;

const withTarget =
  (work: (needs: PruneNeeds, context: JobContext, target: RepositoryTarget) => Promise<JobResult>) =>
  (needs: PruneNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs, context.repository);
    try {
      return await work(needs, context, target);
    } finally {
      release();
    }
  };

/** Removes the archives that no rule keeps, by name. The job's log says why each other archive is kept. */
const runPrune = withTarget(async (needs, context, target) => {
  const rejected = await rejection(needs, context);
  if (rejected) return { status: 'failed', error: rejected };
  const plan = await planNow(needs, context, target);
  const { kept, removed } = plan;
  for (const { archive, reason } of kept) {
    context.log({ level: 'info', text: `Keeping archive (rule: ${reason}): ${described(archive)}` });
  }
  const outcome: PruneOutcome = { plan: planned(plan), removed: [], repositoryStoredSize: null };
  const { byHand } = context.job.parameters as PruneParameters;
  if (byHand?.dryRun) return { ...logDryRun(context, plan), outcome };
  if (byHand && !byHand.moreThanHalf && removed.length > kept.length) {
    return { status: 'failed', error: tooMany(plan), outcome };
  }
  const warnings = removed.length > 0 ? await removeAll(needs, context, { target, removed }) : [];
  outcome.removed = removed.map(({ name }) => name);
  context.log({ level: 'info', text: `Archives kept: ${kept.length}; removed: ${removed.length}.` });
  if (removed.length > 0) outcome.repositoryStoredSize = await readStoredSize(needs, context, target);
  return {
    status: warnings.length > 0 ? 'completed_with_warnings' : 'completed',
    error: together(warnings),
    outcome,
    progress: { percent: 100, message: null },
  };
});

type Plan = RetentionPlan<ListedArchive>;

const planned = ({ kept, removed }: Plan): PruneOutcome['plan'] =>
  [
    ...kept.map(({ archive, reason }) => ({ archive, rule: reason })),
    ...removed.map((archive) => ({ archive, rule: null })),
  ]
    .sort((a, b) => b.archive.start - a.archive.start)
    .map(({ archive: { name, start }, rule }) => ({ name, start, rule }));

function logDryRun(context: JobContext, { kept, removed }: Plan): JobResult {
  for (const archive of removed) context.log({ level: 'info', text: `Would remove: ${described(archive)}` });
  context.log({ level: 'info', text: `Would keep ${kept.length} archives and remove ${removed.length}.` });
  return { status: 'completed', progress: { percent: 100, message: null } };
}

const tooMany = ({ kept, removed }: Plan): Message =>
  say`prune_removes_more_than_half: Rejected: ${{ count: removed.length }} of ${{ total: kept.length + removed.length }} archives would be removed, which is more than half. Nothing was removed. Review them with dry_run, then set confirm_more_than_half.`;

/** Finds out what became of a prune whose server process died: it is done when nothing is left to remove. */
const recoverPrune = withTarget(async (needs, context, target) => {
  const { byHand } = context.job.parameters as PruneParameters;
  if (byHand?.dryRun) {
    return {
      status: 'failed',
      error: say`dry_run_interrupted: Interrupted: Holdfast stopped during the dry run. Start it again.`,
    };
  }
  const { removed } = await planNow(needs, context, target);
  if (removed.length === 0) return { status: 'completed', progress: { percent: 100 } };
  const count = removed.length;
  return {
    status: 'failed',
    error: byHand
      ? say`prune_interrupted: Interrupted: Holdfast stopped during the prune, and ${{ count }} archives still have to be removed. Prune again to remove them.`
      : say`scheduled_prune_interrupted: Interrupted: Holdfast stopped during the prune, and ${{ count }} archives still have to be removed. The next run of the schedule removes them.`,
  };
});

async function rejection({ storage }: PruneNeeds, context: JobContext): Promise<Message | null> {
  const { repository, job } = context;
  const { rules, scheduleId, byHand } = job.parameters as PruneParameters;
  if (repository.mode === 'observe' && !byHand?.dryRun) return observedOnly();
  if (scheduleId !== null) {
    const [schedule] = await storage.find(schedules, { where: { id: scheduleId }, limit: 1 });
    if (!schedule)
      return say`prune_without_schedule: The schedule was deleted before its prune ran: its archives are kept.`;
  }
  const pause = await findPause(storage, { schedule_id: scheduleId ?? 0, repository_id: repository.id });
  if (pause && !byHand) return pauseText(pause);
  if (pause) context.log({ level: 'warning', text: `${pauseText(pause)} This prune was started manually.` });
  if (byHand || keepsAnything(rules)) return null;
  return say`prune_keeps_nothing: No retention rule keeps any archives: set at least one of the prune_keep_ counts of the schedule above 0, or set prune_keep_within.`;
}

/** Plans from a fresh listing, because others may have changed the repository. Also updates the inventory. */
async function planNow(needs: PruneNeeds, context: JobContext, target: RepositoryTarget): Promise<Plan> {
  const { rules, scheduleId, backupJobId, byHand } = context.job.parameters as PruneParameters;
  const { storage, driver, clock } = needs;
  const askedAt = clock.now();
  const { value: listed } = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
  const listing = { archives: listed, askedAt };
  const recorded = await inOwnTransaction(storage, context.job, (session) =>
    rewriteInventory(needs, context.repository, listing, session),
  );
  needs.events.announce(recorded);
  const withinHours = byHand?.withinHours ?? rules.withinHours ?? null;
  const whose = { repositoryId: context.repository.id, scheduleId, backupJobId };
  return weigh(storage, { ...whose, listed, rules: { ...rules, withinHours }, now: askedAt });
}

/** Returns the warnings, including one for archives that others removed first. */
async function removeAll(
  { driver }: PruneNeeds,
  context: JobContext,
  { target, removed }: { target: RepositoryTarget; removed: ListedArchive[] },
): Promise<Message[]> {
  for (const archive of removed)
    context.log({ level: 'info', text: `Removing archive: ${described(archive)}` });
  if (context.repository.append_only)
    context.log({
      level: 'info',
      text: 'The repository is append-only: removed archives are no longer listed, but keep their space.',
    });
  context.progress({ percent: 50, message: `Removing ${removed.length} archives` });
  const names = removed.map(({ name }) => name);
  const { value, warnings } = await driver.deleteArchives(target, { archives: names }, context.toolOptions());
  const warned = toolWarnings(warnings);
  if (value.missing.length === 0) return warned;
  const gone = say`archives_already_gone: These archives no longer existed: ${{ archives: value.missing }}.`;
  return [gone, ...warned];
}

const described = ({ name, start }: ListedArchive): string => `${name} (${new Date(start).toISOString()})`;

export const pruneHandler = (
  needs: PruneNeeds & MaintenanceNeeds,
  noteSchedule: NoteSchedule,
): JobHandler => ({
  kind: 'prune',
  lane: 'exclusive',
  run: runPrune(needs),
  recover: recoverPrune(needs),
  settle: (job, end, repository) => {
    const removed = outcomeOf(end)?.removed ?? [];
    const ended: EndedJob = { job, end, repository };
    return {
      events: repository && removed.length > 0 ? [archivesChanged(repository.id, { removed }, job.id)] : [],
      commit: async (session) => {
        await updateInventory(session, ended);
        const { scheduleId, byHand } = job.parameters as PruneParameters;
        if (end.status === 'completed' && scheduleId !== null && !byHand?.dryRun) {
          await noteSchedule(session, scheduleId, { last_prune: needs.clock.now() });
        }
        await queueAfterPrune(needs.jobs, session, ended);
      },
    };
  },
});

/** Null for an unsuccessful job, whose outcome says nothing about the archives. */
const outcomeOf = ({ status, outcome }: JobEnd): PruneOutcome | null =>
  succeeded(status) ? (outcome as PruneOutcome | null) : null;

async function updateInventory(session: StorageSession, { job, end, repository }: EndedJob): Promise<void> {
  if (!repository) return;
  const { id } = repository;
  const outcome = outcomeOf(end);
  if (outcome) {
    await removeArchives(session, id, outcome.removed);
    const stored_size = outcome.repositoryStoredSize;
    if (stored_size !== null) await noteRepository(session, id, { stored_size });
  } else if (job.started_at !== null) {
    // It is unknown which archives still exist, so the next reader asks the tool.
    await noteRepository(session, id, { inventory_at: null });
  }
}
