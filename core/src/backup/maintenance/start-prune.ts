import type { PruneAnswer, PruneInput } from '@holdfast/contracts';
import type { JobRow } from '../../engine/jobs/index.js';
import { lastLines, succeeded } from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import { invalid, requireConfirmation, say } from '../../foundation/kernel/index.js';
import { lostFiles } from '../archives/index.js';
import { findRepository } from '../repositories/index.js';
import { archives } from '../repositories/tables.js';
import { findSchedule, hoursOf, type RetentionCounts } from '../schedules/calendar/index.js';
import { scheduleRepositories } from '../schedules/tables.js';
import type { PruneOutcome, PruneParameters } from './maintenance-job.rules.js';
import { type MaintenanceOrder, prunedArchives, type StartNeeds, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';
import { keepsAnything } from './retention.rules.js';
import { findPause, pauseText } from './retention-pauses.js';

const answerWithinMs = 25_000;
const shownLines = 10_000;

/**
 * Queues a prune and waits up to 25 s for its end. Throws as `startManually`, and `invalid` for rules that
 * keep nothing or a schedule of another repository; `forbidden` for a browser session that must confirm.
 */
export async function startPrune(
  needs: StartNeeds & MaintenanceNeeds,
  caller: Caller,
  repositoryId: number,
  input: PruneInput,
): Promise<PruneAnswer> {
  if (!input.dry_run) requireConfirmation(caller, needs.clock.now());
  const parameters = parametersOf(input);
  const { job_id, message } = await startManually(needs, caller, {
    kind: 'prune',
    what: input.dry_run ? 'Dry run of a prune' : 'Prune',
    repositoryId,
    parameters,
    writes: !input.dry_run,
    validate: ofThisSchedule(parameters.scheduleId),
  });
  const { scheduleId: schedule_id } = parameters;
  const pair = { schedule_id: schedule_id ?? 0, repository_id: repositoryId };
  const pause = input.dry_run ? null : await findPause(needs.storage, pair);
  const job = await needs.jobs.whenEnded(job_id, 'prune', answerWithinMs);
  const ended = job.completed_at !== null;
  return {
    success: job.status !== 'failed' && job.status !== 'cancelled',
    job_id,
    status: job.status,
    dry_run: input.dry_run,
    message: [ended ? endText(job) : message, pause && pauseText(pause)].filter(Boolean).join(' '),
    archives: prunedArchives(job),
    ...(input.dry_run && { lost: ended ? await lostInDryRun(needs, repositoryId, job) : null }),
    prune_result: ended ? await resultOf(needs, job) : null,
  };
}

async function lostInDryRun(
  needs: MaintenanceNeeds,
  repository_id: number,
  { outcome }: JobRow,
): Promise<PruneAnswer['lost']> {
  const plan = (outcome as PruneOutcome | null)?.plan;
  if (!plan) return null;
  const repository = await findRepository(needs.storage, { repository_id });
  const names = new Set(plan.filter(({ rule }) => rule === null).map(({ name }) => name));
  const rows = await needs.storage.find(archives, { where: { repository_id } });
  const removed = rows.filter(({ name }) => names.has(name)).map(({ tool_id }) => tool_id);
  return lostFiles(needs, repository, removed);
}

function parametersOf(input: PruneInput): PruneParameters {
  const withinHours = input.keep_within ? hoursOf(input.keep_within) : null;
  const rules: RetentionCounts = {
    hourly: input.keep_hourly,
    daily: input.keep_daily,
    weekly: input.keep_weekly,
    monthly: input.keep_monthly,
    quarterly: input.keep_quarterly,
    yearly: input.keep_yearly,
    withinHours,
  };
  if (!keepsAnything(rules)) {
    throw invalid(
      say`prune_rules_keep_nothing: These rules keep no archives: set at least one of the keep_ counts above 0, or set keep_within.`,
    );
  }
  const { dry_run: dryRun, confirm_more_than_half: moreThanHalf } = input;
  const byHand = { withinHours, dryRun, moreThanHalf };
  return { rules, scheduleId: input.schedule_id ?? null, backupJobId: null, byHand };
}

const ofThisSchedule =
  (scheduleId: number | null): MaintenanceOrder['validate'] =>
  async (session, { id, name }) => {
    if (scheduleId === null) return;
    await findSchedule(session, scheduleId);
    const where = { schedule_id: scheduleId, repository_id: id };
    const [link] = await session.find(scheduleRepositories, { where, limit: 1 });
    if (!link)
      throw invalid(
        say`prune_schedule_elsewhere: Schedule ${{ schedule: scheduleId }} does not back up to repository ${{ repository: name }}.`,
      );
  };

function endText({ status, error_message }: JobRow): string {
  if (status === 'cancelled') return 'The prune was cancelled.';
  return error_message ?? 'The prune is done.';
}

async function resultOf(needs: StartNeeds, job: JobRow): Promise<NonNullable<PruneAnswer['prune_result']>> {
  const success = job.completed_at !== null && job.status !== 'pending' && job.status !== 'running';
  const good = success && succeeded(job.status as Parameters<typeof succeeded>[0]);
  const stdout = (await lastLines(needs, job, shownLines)) ?? '';
  return { success: good, stdout, stderr: job.error_message ?? '' };
}
