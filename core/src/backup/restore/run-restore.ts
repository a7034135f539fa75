import { join } from 'node:path';
import { isDriverError, type OperationOptions, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobEnd, JobResult, JobRow } from '../../engine/jobs/index.js';
import { succeeded, textOf } from '../../engine/jobs/index.js';
import type { NewEvent } from '../../foundation/events/index.js';
import { conflict, type Message, say, together, toolWarnings } from '../../foundation/kernel/index.js';
import { openTarget } from '../repositories/index.js';
import { findConnection, type HostNeeds, sourceHost } from '../ssh/index.js';
import { keptFree, withinRoom } from './extract-within.js';
import { abandon, completed, finishMoves, takenOver } from './finish-moves.js';
import { writeManifest } from './manifest.js';
import type { RestoreNeeds } from './needs.js';
import type { Owner } from './owners.rules.js';
import { followArchive, judge, surveyArchive } from './plan-restore.js';
import { remoteStage } from './remote/remote-stage.fs.js';
import {
  cannotRestore,
  type RestoreOrder,
  type RestoreOutcome,
  type RestoreParameters,
  targetChanged,
} from './restore.rules.js';
import { restoreDump } from './restore-dump.js';
import { dropIncomplete, type LeftOut } from './stage/drop-incomplete.fs.js';
import { obstaclesOf } from './stage/judge-survey.js';
import { localStage } from './stage/local-stage.js';
import { type Modes, maxManifestEntries, planMoves } from './stage/move-plan.fs.js';
import { missingDirectories } from './stage/moves.fs.js';
import type { Stage } from './stage/stage.js';
import { stagingName } from './stage/staging.fs.js';
import type { Survey } from './stage/survey.js';
import { changedSince, freeBytes, type RestoreTarget } from './stage/target-files.fs.js';
import { restorePlans, restoreRuns } from './tables.js';
import { openRestoreTarget, type TargetNeeds } from './targets.js';

export type RunNeeds = StageNeeds & TargetNeeds & RestoreNeeds;

interface Work {
  context: JobContext;
  order: RestoreParameters;
  place: RestoreTarget;
  target: RepositoryTarget;
  options: OperationOptions;
}

/**
 * Extracts next to the target and moves complete files into place. Until the first move, any failure leaves
 * the target unchanged. From then on the moves are completed or undone, if necessary by another process.
 */
export async function runRestore(needs: RunNeeds, context: JobContext): Promise<JobResult> {
  const order = context.job.parameters as RestoreParameters;
  if (order.dump) return restoreDump(needs, context, { ...order, dump: order.dump });
  const place = await openRestoreTarget(needs, order.destinationConnectionId);
  const { target, release } = openTarget(needs, context.repository);
  const bypassLock = context.repository.bypass_lock;
  const options = { ...context.toolOptions(), bypassLock };
  try {
    return await restore(needs, { context, order, place, target, options });
  } finally {
    await place.close();
    release();
  }
}

async function restore(needs: RunNeeds, work: Work): Promise<JobResult> {
  const { context, order, place } = work;
  await assertUnchanged(needs, work);
  context.progress({ message: 'Reading the archive listing' });
  await place.checkDestination(order.destination);
  const survey = await surveyArchive(needs.driver, work);
  const judged = await judge(needs, { survey, order, place });
  const [obstacle] = obstaclesOf(judged);
  if (obstacle) throw conflict(obstacle);
  const jobId = context.job.id;
  const staging = join(judged.parent, stagingName(jobId, needs.settings.installation));
  await needs.storage.insert(restoreRuns, { job_id: jobId, staging, phase: 'extracting' });
  const stage = await openStage(needs, order, { job_id: jobId, staging });
  await place.close();
  try {
    await stage.make();
    return await restoreBy(needs, { ...work, survey, stage });
  } finally {
    await stage.close();
  }
}

async function restoreBy(needs: RunNeeds, work: Extraction): Promise<JobResult> {
  const { context, stage } = work;
  const jobId = context.job.id;
  try {
    const extracted = await extract(needs, work);
    await commit(needs, { ...work, ...extracted });
  } catch (error) {
    await logRemovalFailure(context, abandon(needs, { jobId, stage }));
    throw error;
  }
  context.progress({ message: 'Moving into place' });
  return completed(await finishMoves(needs, { jobId, stage }));
}

/** A failure to remove the working folder must not hide why the restore ended. */
async function logRemovalFailure({ log }: JobContext, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isDriverError(error)) throw error;
    log({ level: 'warning', text: `The working folder on the host could not be removed: ${error.message}` });
  });
}

/** Checks that the archive is the same and that the target has not changed since the plan. */
async function assertUnchanged(needs: RunNeeds, work: Work) {
  const { order, place } = work;
  const isRemade = await followArchive(needs, work);
  if (order.planId === null) return;
  if (isRemade) {
    throw conflict(
      say`restore_plan_archive_repaired: Archive ${{ archive: order.archive }} was repaired since the plan was made, and may have lost files: make a new plan.`,
    );
  }
  const [plan] = await needs.storage.find(restorePlans, { where: { id: order.planId }, limit: 1 });
  const changed = plan && (await changedSince(place, plan.stamps));
  if (changed) throw conflict(targetChanged(changed));
}

type Extraction = Work & { survey: Survey; stage: Stage };

interface Extracted {
  modes: Modes;
  warnings: Message[];
  leftOut: LeftOut;
}

async function extract({ driver }: RunNeeds, work: Extraction): Promise<Extracted> {
  const { context, order, target, options, survey, stage } = work;
  const extractFiles = driver.extract?.bind(driver);
  if (!extractFiles) throw conflict(cannotRestore);
  context.progress({ message: 'Extracting', expectedSize: survey.bytes });
  const input = {
    archive: order.archive,
    paths: survey.selection.real,
    folder: stage.tree,
    exclude: survey.oversized,
    maxBytes: survey.extractedBytes,
    // The other host resolves names itself.
    numericOwners: order.owners === 'numbers' || order.destinationConnectionId !== null,
  };
  const free = await freeBytes(stage.tree);
  const room = {
    folder: stage.tree,
    keepFree: keptFree({ free, needed: survey.bytes }),
    signal: context.signal,
  };
  const { warnings } = await withinRoom(room, async (signal) =>
    extractFiles(target, input, {
      ...options,
      signal,
      onProgress: ({ current, currentPath }) => context.progress({ originalSize: current, currentPath }),
    }),
  );
  const modes = await stage.openUp();
  const isPlain = survey.damaged.count === 0 && survey.lacks.size === 0;
  if (warnings.length === 0 && isPlain) return { modes, warnings: [], leftOut: { count: 0, entries: [] } };
  const entries = driver.listEntries(target, { archive: order.archive }, options);
  const leftOut = await dropIncomplete(stage.tree, { entries, order, lacks: stage.lacks(survey.lacks) });
  const { count } = leftOut;
  const lost = say`restore_files_left_out: ${{ count }} files could not be restored completely and were skipped.`;
  return { modes, warnings: [...(count > 0 ? [lost] : []), ...toolWarnings(warnings)], leftOut };
}

const ownersFor = ({ owners }: RestoreOrder, survey: Survey): 'numbers' | Owner[] =>
  owners === 'numbers' ? 'numbers' : survey.owners();

/** The point of no return: from here on, any run that finds this restore completes it. */
async function commit(needs: RunNeeds, work: Extraction & Extracted) {
  const { context, order, place, stage, modes } = work;
  const plan = await planMoves({ tree: stage.tree, modes, isChosen: work.survey.isChosen }, order, place);
  const made = plan.moves.length > 0 ? await missingDirectories(order.destination, place) : [];
  await place.close();
  const warnings = [
    ...work.warnings,
    ...(await stage.deliver(context.signal, {
      lacks: work.survey.lacks,
      owners: ownersFor(order, work.survey),
    })),
  ];
  await stage.writeJournal({ made, moves: plan.moves, modes: plan.modes });
  const jobId = context.job.id;
  const manifest = [...plan.manifest, ...work.leftOut.entries].slice(0, maxManifestEntries);
  await writeManifest(needs.storage, jobId, manifest);
  context.signal.throwIfAborted();
  const warning = together(warnings.slice(0, 5));
  const outcome: RestoreOutcome = { ...plan.counts, warning: warning && { ...warning } };
  const where = { job_id: jobId, phase: 'extracting' as const };
  if ((await needs.storage.update(restoreRuns, where, { phase: 'moving', outcome })) === 0) {
    throw takenOver();
  }
}

export type StageNeeds = HostNeeds & RestoreNeeds;

/**
 * The working folder of a restore, whether or not it exists yet. Throws AppError `not_found` when its
 * connection is gone.
 */
export async function openStage(
  needs: StageNeeds,
  { destinationConnectionId: id }: Pick<RestoreOrder, 'destinationConnectionId'>,
  { job_id, staging }: { job_id: number; staging: string },
): Promise<Stage> {
  if (typeof id !== 'number') return localStage(staging);
  const connection = await findConnection(needs.storage, id);
  return remoteStage({
    host: () => sourceHost(needs, connection, { remote_path: null }),
    trees: needs.trees,
    folder: staging,
    local: join(needs.settings.dataDirectory, 'restores', `${job_id}`),
  });
}

/** The event for the end of a restore; none for a cancelled one. */
export function restoreEvents(job: JobRow, end: JobEnd): NewEvent[] {
  if (end.status === 'cancelled') return [];
  const { archive, destination, destinationHost: host } = job.parameters as RestoreParameters;
  const { started_at, completed_at } = job;
  const known = started_at !== null && completed_at !== null;
  const data = {
    repository_name: job.repository_name,
    repository_path: job.repository_path,
    job_id: job.id,
    archive_name: archive,
    target_path: host ? `${host}:${destination}` : destination,
    status: end.status,
    duration_seconds: known ? Math.max(0, completed_at - started_at) / 1000 : null,
    error_message: textOf(end),
  };
  const kind = succeeded(end.status) ? 'restore_success' : 'restore_failure';
  return [{ kind, repositoryId: job.repository_id, jobId: job.id, data }];
}
