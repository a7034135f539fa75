import type { CheckInput } from '@holdfast/contracts';
import {
  type DriverError,
  type DriverResult,
  isDriverError,
  type RepositoryTarget,
  type ToolProgress,
} from '@holdfast/plugin-api/driver';
import type { NewEvent } from '../events/index.js';
import type { JobContext, JobEnd, JobHandler, JobResult } from '../jobs/index.js';
import { type JobProgress, succeeded, wasInterrupted } from '../jobs/index.js';
import type { JobRow } from '../jobs/tables.js';
import type { Caller } from '../kernel/index.js';
import { invalid } from '../kernel/index.js';
import { markDamaged, noteRepository, openTarget } from '../repositories/index.js';
import { learnArchives } from './learn-archives.js';
import type { CheckOutcome, CheckParameters } from './maintenance-job.rules.js';
import { type StartNeeds, startByHand } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';

export type CheckNeeds = Pick<
  MaintenanceNeeds,
  'driver' | 'secrets' | 'redactor' | 'storage' | 'events' | 'clock'
>;

export const cannotCheck = 'The backup tool of this installation can not check repositories.';

/** Looks for damage, or repairs it. What is found is in the job's log. */
const runCheck =
  (needs: CheckNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const { repair } = context.job.parameters as CheckParameters;
    if (!needs.driver.check) return { status: 'failed', error: cannotCheck };
    if (repair && context.repository.mode === 'observe') {
      return { status: 'failed', error: 'The repository is in observe mode, which only reads.' };
    }
    const { target, release } = openTarget(needs)(context.repository);
    const learn = (afterRepair = false) => learnArchives(needs, context, { target, afterRepair });
    try {
      const knew = repair && (await learn());
      const { value, warnings } = await check(needs.driver.check, context, target);
      const { damagedArchives = [] } = value;
      if (repair || damagedArchives.length > 0) await learn(knew);
      return repair ? repaired(warnings, damagedArchives) : checked(warnings, damagedArchives);
    } catch (error) {
      if (!isDriverError(error, 'damaged')) throw error;
      const outcome: CheckOutcome = { damaged: true, damagedArchives: [...(error.options.archives ?? [])] };
      return { status: 'failed', error: damage(error), outcome };
    } finally {
      release();
    }
  };

function check(
  operation: NonNullable<MaintenanceNeeds['driver']['check']>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<DriverResult<{ partial: boolean; damagedArchives?: string[] }>> {
  const parameters = context.job.parameters as CheckParameters;
  const { maxSeconds, verifyData, repair } = parameters;
  const progressOf = checkProgress(parameters);
  return operation(
    target,
    { verifyData, repair, ...(maxSeconds > 0 ? { maxSeconds } : {}) },
    { ...context.toolOptions(), onProgress: (told) => context.progress(progressOf(told)) },
  );
}

const done = { percent: 100, message: null };

function checked(warnings: string[], damagedArchives: string[]): JobResult {
  if (damagedArchives.length > 0) {
    const outcome: CheckOutcome = { damaged: true, confined: true, damagedArchives };
    return { status: 'failed', error: lost(damagedArchives), outcome, progress: done };
  }
  const isClean = warnings.length === 0;
  return {
    status: isClean ? 'completed' : 'completed_with_warnings',
    error: isClean ? null : warnings.join(' '),
    outcome: { damaged: false } satisfies CheckOutcome,
    progress: done,
  };
}

function repaired(warnings: string[], damagedArchives: string[]): JobResult {
  const damaged = warnings.length > 0 || damagedArchives.length > 0;
  const what =
    warnings.length > 0 ? 'Problems were found and repaired: the log tells which files lost data. ' : '';
  const which = damagedArchives.length > 0 ? `${lost(damagedArchives)} ` : '';
  return {
    status: damaged ? 'completed_with_warnings' : 'completed',
    error: damaged ? `${what}${which}Check again.` : null,
    outcome: { damaged, damagedArchives } satisfies CheckOutcome,
    progress: done,
  };
}

const mostNamed = 5;

function lost(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return (
    `Files of ${names.slice(0, mostNamed).join(', ')}${more} lost content, which zeros stand for: the log names them. ` +
    'These archives protect nothing any more. Back up again; a repair then brings back what is still at its source.'
  );
}

const damage = ({ message }: DriverError): string =>
  `Problems were found: ${message} The log of the job has all of them. Restore what you need elsewhere or copy the ` +
  'repository before you repair it.';

/** A check that was cut short says nothing of the repository; a repair can be begun again. */
const recoverCheck = async ({ job }: JobContext): Promise<JobResult> => {
  const { repair } = job.parameters as CheckParameters;
  return {
    status: 'failed',
    error: repair
      ? 'Interrupted: the service ended during the repair. Start the repair again.'
      : 'Interrupted: the service ended during the check, so it found nothing out. Start it again.',
  };
};

export const checkHandler = (needs: CheckNeeds & Pick<MaintenanceNeeds, 'clock' | 'jobs'>): JobHandler => ({
  kind: 'check',
  lane: 'exclusive',
  run: runCheck(needs),
  recover: recoverCheck,
  settle: (job, end, repository) => ({
    events: checkEvents(job, end),
    commit: async (session) => {
      if (!repository) return;
      const { id } = repository;
      if (isMadeUpFor(job, end)) {
        const parameters = { ...job.parameters, rerunOf: job.id };
        const again = { kind: 'check' as const, repository, parameters, requestedBy: job.requested_by };
        await needs.jobs.insert(again, session);
      }
      const { repair, maxSeconds } = job.parameters as CheckParameters;
      const { damagedArchives: names = [], confined = false } = (end.outcome ?? {}) as Partial<CheckOutcome>;
      const all = confined || (succeeded(end.status) && maxSeconds === 0);
      await markDamaged(session, id, { names, all });
      if (repair) {
        // Repaired archives are new ones under their old names: the next reader asks the tool.
        if (job.started_at !== null) await noteRepository(session, id, { inventory_at: null });
      } else if (succeeded(end.status) && maxSeconds === 0) {
        await noteRepository(session, id, { last_check: needs.clock.now() });
      }
    },
  }),
});

/** A planned check that was cut short because the service was stopped is made up for, once. */
function isMadeUpFor(job: JobRow, end: JobEnd): boolean {
  const { plannedAt, rerunOf } = job.parameters as CheckParameters;
  return wasInterrupted(end) && plannedAt !== null && rerunOf === undefined && job.repository_id !== null;
}

/**
 * The one event that the end of a check is. A cancelled one is none, nor one that is made up for, nor a repair that did
 * its work.
 */
function checkEvents(job: JobRow, end: JobEnd): NewEvent[] {
  const { plannedAt, repair, maxSeconds } = job.parameters as CheckParameters;
  const passed = succeeded(end.status);
  if (end.status === 'cancelled' || isMadeUpFor(job, end) || (repair && passed)) return [];
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
    error_message: end.error,
  };
  const kind = passed ? 'check_success' : 'check_failure';
  return [{ kind, repositoryId: job.repository_id, jobId: job.id, data }];
}

/** The repository, then the content where that is asked for, then the archives. */
const phasesOf = ({ maxSeconds, verifyData }: CheckParameters): number =>
  maxSeconds > 0 ? 1 : verifyData ? 3 : 2;

/** Turns what the tool tells of its phases into one percentage: each phase has an equal part of it. */
function checkProgress(parameters: CheckParameters): (told: ToolProgress) => Partial<JobProgress> {
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

type Needs = StartNeeds & Pick<MaintenanceNeeds, 'driver'>;

/** AppError as `startByHand`. Observed repositories are checked too: it only reads. */
export const startCheck =
  (needs: Needs) =>
  async (caller: Caller, repositoryId: number, input: Partial<CheckInput> = {}) => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const { max_duration: maxSeconds = 0, verify_data: verifyData = false } = input;
    const parameters: CheckParameters = { maxSeconds, verifyData, repair: false, plannedAt: null };
    const what = maxSeconds > 0 ? 'Partial check' : 'Check';
    return startByHand(needs)(caller, { kind: 'check', what, repositoryId, parameters, writes: false });
  };

/** AppError as `startByHand`, and `invalid` when the name that was typed in is not the repository's. */
export const startRepair =
  (needs: Needs) =>
  async (caller: Caller, repositoryId: number, { confirm_name }: { confirm_name: string }) => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const parameters: CheckParameters = { maxSeconds: 0, verifyData: false, repair: true, plannedAt: null };
    return startByHand(needs)(caller, {
      ...{ kind: 'check', what: 'Repair', repositoryId, parameters, writes: true },
      refuse: (_, { name }) => {
        if (confirm_name === name) return;
        throw invalid(
          'confirm_name is not the name of this repository: type it in exactly, if you are sure. A repair may lose data.',
        );
      },
    });
  };
