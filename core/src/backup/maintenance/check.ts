import type { CheckInput, RepairInput } from '@holdfast/contracts';
import {
  type DriverError,
  type DriverResult,
  isDriverError,
  type RepositoryTarget,
  type ToolProgress,
} from '@holdfast/plugin-api/driver';
import type { JobContext, JobEnd, JobHandler, JobResult, JobRow } from '../../engine/jobs/index.js';
import { type JobProgress, succeeded, textOf, wasInterrupted } from '../../engine/jobs/index.js';
import type { NewEvent } from '../../foundation/events/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import {
  conflict,
  invalid,
  type Message,
  say,
  together,
  toolWarnings,
} from '../../foundation/kernel/index.js';
import { isPinned, markDamaged, noteRepository, openTarget, pinnedAmong } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { CheckOutcome, CheckParameters } from './maintenance-job.rules.js';
import { observedOnly, type StartNeeds, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';
import { refreshInventory } from './refresh-inventory.js';
import { sign, unsignedIn } from './sign-archives.js';

export type CheckNeeds = MaintenanceNeeds;

export const cannotCheck = say`check_unsupported: The backup driver of this installation does not support checks.`;

/** Checks a repository for damage, or repairs it. Findings are in the job's log. */
const runCheck =
  (needs: CheckNeeds, { resumed = false } = {}) =>
  async (context: JobContext): Promise<JobResult> => {
    const { repair, sign: signs, mayDelete = [] } = context.job.parameters as CheckParameters;
    if (!needs.driver.check) return { status: 'failed', error: cannotCheck };
    if ((repair || signs) && context.repository.mode === 'observe') {
      return { status: 'failed', error: observedOnly() };
    }
    const { target, release } = openTarget(needs, context.repository);
    const refresh = (afterRepair = false) => refreshInventory(needs, context, { target, afterRepair });
    try {
      if (signs) return await sign(needs, context, { target, resumed });
      const wasRefreshed = repair && (await refresh());
      const unsigned = repair ? await unsignedIn(needs, context.repository.id) : [];
      if (unsigned.length > 0) return { status: 'failed', error: signFirst(unsigned) };
      const pinned = await pinnedNow(needs, context.repository, mayDelete);
      if (pinned) return { status: 'failed', error: isPinned(pinned) };
      const { value, warnings } = await check(needs.driver.check, context, target);
      const { damagedArchives = [] } = value;
      if (repair || damagedArchives.length > 0) await refresh(wasRefreshed);
      return repair ? repaired(warnings, damagedArchives) : checked(warnings, damagedArchives);
    } catch (error) {
      if (!isDriverError(error, 'damaged')) throw error;
      const { archives = [], wouldDelete = [] } = error.options;
      const outcome: CheckOutcome = {
        damaged: true,
        damagedArchives: [...archives],
        wouldDelete: [...wouldDelete],
      };
      const stops = repair && wouldDelete.length > 0;
      return { status: 'failed', error: stops ? wouldLose(wouldDelete) : damage(error), outcome };
    } finally {
      release();
    }
  };

const pinnedNow = ({ storage, clock }: CheckNeeds, repository: RepositoryRow, names: readonly string[]) =>
  pinnedAmong(storage, repository, { names, now: clock.now() });

function check(
  operation: NonNullable<MaintenanceNeeds['driver']['check']>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<DriverResult<{ partial: boolean; damagedArchives?: string[] }>> {
  const parameters = context.job.parameters as CheckParameters;
  const { maxSeconds, verifyData, repair, mayDelete = [] } = parameters;
  const progressOf = checkProgress(parameters);
  return operation(
    target,
    { verifyData, repair, ...(repair ? { mayDelete } : {}), ...(maxSeconds > 0 ? { maxSeconds } : {}) },
    { ...context.toolOptions(), onProgress: (progress) => context.progress(progressOf(progress)) },
  );
}

const done = { percent: 100, message: null };

function checked(warnings: string[], damagedArchives: string[]): JobResult {
  if (damagedArchives.length > 0) {
    const outcome: CheckOutcome = { damaged: true, confined: true, damagedArchives };
    return { status: 'failed', error: lost(damagedArchives), outcome, progress: done };
  }
  return {
    status: warnings.length === 0 ? 'completed' : 'completed_with_warnings',
    error: together(toolWarnings(warnings)),
    outcome: { damaged: false } satisfies CheckOutcome,
    progress: done,
  };
}

function repaired(warnings: string[], damagedArchives: string[]): JobResult {
  const damaged = warnings.length > 0 || damagedArchives.length > 0;
  const what = say`repair_found_problems: Problems were found and repaired. The log lists the files that lost data.`;
  // Zeros replace what these lost: they are not repaired.
  const found = damagedArchives.length > 0 ? [stillDamaged, lost(damagedArchives)] : [what];
  return {
    status: damaged ? 'completed_with_warnings' : 'completed',
    error: damaged ? together([...found, say`check_again: Check again.`]) : null,
    outcome: { damaged, damagedArchives } satisfies CheckOutcome,
    progress: done,
  };
}

const stillDamaged = say`repair_left_damage: The repository can be used again, but some archives are still damaged.`;

const wouldLose = (names: readonly string[]): Message =>
  say`repair_would_delete: The repair stopped before deleting these archives, whose contents can't be found any more: ${{ archives: [...names] }}. Repeat it with their names to allow that.`;

const signFirst = (names: readonly string[]): Message =>
  say`repair_while_unsigned: Archives are not signed: ${{ archives: names.slice(0, 20) }}. Sign them first: a repair by a newer Borg version would delete them.`;

const maxNamed = 5;

function lost(names: readonly string[]): Message {
  const archives = names.slice(0, maxNamed);
  const more = names.length - maxNamed;
  return more > 0
    ? say`many_archives_lost_content: Files of ${{ archives }} and ${{ more }} more lost content, which was replaced with zeros: the log lists them. Do not rely on these archives. Back up again; a repair then restores data that still exists in the source.`
    : say`archives_lost_content: Files of ${{ archives }} lost content, which was replaced with zeros: the log lists them. Do not rely on these archives. Back up again; a repair then restores data that still exists in the source.`;
}

const damage = ({ message: problem }: DriverError): Message =>
  say`check_found_problems: Problems were found: ${{ problem }} The job log lists all of them. Before you repair the repository, restore what you need to another location or make a copy.`;

/** An interrupted check says nothing about the repository. A repair can simply be started again. Signing continues. */
async function recoverCheck(needs: CheckNeeds, context: JobContext): Promise<JobResult> {
  const { repair, sign: signs } = context.job.parameters as CheckParameters;
  if (signs) return runCheck(needs, { resumed: true })(context);
  return {
    status: 'failed',
    error: repair
      ? say`repair_interrupted: Interrupted: Holdfast stopped during the repair. Start the repair again.`
      : say`check_interrupted: Interrupted: Holdfast stopped during the check, so there is no result. Start it again.`,
  };
}

export const checkHandler = (needs: CheckNeeds & MaintenanceNeeds): JobHandler => ({
  kind: 'check',
  lane: 'exclusive',
  run: runCheck(needs),
  recover: recoverCheck.bind(null, needs),
  settle: (job, end, repository) => ({
    events: checkEvents(job, end),
    commit: async (session) => {
      if (!repository) return;
      const { id } = repository;
      if (needsRerun(job, end)) {
        const parameters = { ...job.parameters, rerunOf: job.id };
        const again = { kind: 'check' as const, repository, parameters, requestedBy: job.requested_by };
        await needs.jobs.insert(again, session);
      }
      const { repair, sign: signs, maxSeconds } = job.parameters as CheckParameters;
      // Both create new archives under the old names, so the next reader asks the tool.
      if (job.started_at !== null && (repair || signs))
        await noteRepository(session, id, { inventory_at: null });
      if (signs) return;
      const { damagedArchives: names = [], confined = false } = (end.outcome ?? {}) as Partial<CheckOutcome>;
      const all = confined || (succeeded(end.status) && maxSeconds === 0);
      await markDamaged(session, id, { names, all });
      if (!repair && succeeded(end.status) && maxSeconds === 0) {
        await noteRepository(session, id, { last_check: needs.clock.now() });
      }
    },
  }),
});

/** A scheduled check or a signing that a shutdown interrupted is rerun once. */
function needsRerun(job: JobRow, end: JobEnd): boolean {
  const { plannedAt, sign: signs, rerunOf } = job.parameters as CheckParameters;
  return (
    wasInterrupted(end) &&
    (plannedAt !== null || signs === true) &&
    rerunOf === undefined &&
    job.repository_id !== null
  );
}

/**
 * The event for the end of a check. None for a cancelled check, one that is rerun, or a successful repair.
 */
function checkEvents(job: JobRow, end: JobEnd): NewEvent[] {
  const { plannedAt, repair, sign: signs, maxSeconds } = job.parameters as CheckParameters;
  const passed = succeeded(end.status);
  if (end.status === 'cancelled' || needsRerun(job, end) || ((repair || signs) && passed)) return [];
  const { started_at, completed_at } = job;
  const known = started_at !== null && completed_at !== null;
  const data = {
    repository_name: job.repository_name,
    repository_path: job.repository_path,
    job_id: job.id,
    check_type: plannedAt === null ? 'manual' : 'scheduled',
    status: end.status,
    partial: maxSeconds > 0,
    duration_seconds: known ? Math.max(0, completed_at - started_at) / 1000 : null,
    error_message: textOf(end),
  };
  const kind = passed ? 'check_success' : 'check_failure';
  return [{ kind, repositoryId: job.repository_id, jobId: job.id, data }];
}

/**
 * Number of phases: the repository, its data if requested, and the archives. A partial check has only the
 * first.
 */
const phasesOf = ({ maxSeconds, verifyData }: CheckParameters): number =>
  maxSeconds > 0 ? 1 : verifyData ? 3 : 2;

/** Combines the progress of all phases into one percentage. Each phase has an equal share. */
function checkProgress(parameters: CheckParameters): (progress: ToolProgress) => Partial<JobProgress> {
  const phases = phasesOf(parameters);
  const seen: string[] = [];
  return ({ phase, current, total, message }) => {
    if (phase !== undefined && !seen.includes(phase)) seen.push(phase);
    const text = message === undefined ? {} : { message };
    if (current === undefined || !total) return text;
    const before = Math.min(phases - 1, Math.max(0, seen.length - 1));
    const within = Math.min(1, current / total);
    return {
      percent: (100 * (before + within)) / phases,
      ...(message === undefined ? {} : { message: `${message} (${current}/${total})` }),
    };
  };
}

type Needs = StartNeeds & MaintenanceNeeds;

/** Throws as `startManually`. Also allowed in observe mode, because a check only reads. */
export async function startCheck(
  needs: Needs,
  caller: Caller,
  repositoryId: number,
  input: Partial<CheckInput> = {},
) {
  if (!needs.driver.check) throw invalid(cannotCheck);
  const { max_duration: maxSeconds = 0, verify_data: verifyData = false } = input;
  const parameters: CheckParameters = { maxSeconds, verifyData, repair: false, plannedAt: null };
  const what = maxSeconds > 0 ? 'Partial check' : 'Check';
  return startManually(needs, caller, { kind: 'check', what, repositoryId, parameters, writes: false });
}

/**
 * Throws as `startManually`, `invalid` when `confirm_name` does not match, and `conflict` for a pinned archive that it
 * may delete.
 */
export async function startRepair(
  needs: Needs,
  caller: Caller,
  repositoryId: number,
  { confirm_name, delete_archives: mayDelete }: RepairInput,
) {
  if (!needs.driver.check) throw invalid(cannotCheck);
  const whole = { maxSeconds: 0, verifyData: false, plannedAt: null };
  const parameters: CheckParameters = { ...whole, repair: true, mayDelete };
  return startManually(needs, caller, {
    kind: 'check',
    what: 'Repair',
    repositoryId,
    parameters,
    writes: true,
    validate: async (_, repository) => {
      if (confirm_name !== repository.name)
        throw invalid(
          say`repair_name_wrong: confirm_name does not match the name of this repository. A repair may lose data: send the exact name to confirm.`,
        );
      const pinned = await pinnedNow(needs, repository, mayDelete);
      if (pinned) throw conflict(isPinned(pinned));
    },
  });
}
