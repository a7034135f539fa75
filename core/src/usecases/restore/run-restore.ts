import { join } from 'node:path';
import type { RestoreOutcome, RestoreParameters } from '../../domain/restore.js';
import { conflict, notFound } from '../../errors.js';
import type { OperationOptions, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import { dropIncomplete } from '../../runtime/restore/drop-incomplete.js';
import { obstaclesOf } from '../../runtime/restore/judge-survey.js';
import { planMoves } from '../../runtime/restore/move-plan.js';
import { type Journal, missingDirectories, writeJournal } from '../../runtime/restore/moves.js';
import { makeStaging, type Staging, stagingName } from '../../runtime/restore/staging.js';
import type { Survey } from '../../runtime/restore/survey.js';
import { changedSince, freeBytes } from '../../runtime/restore/target-files.js';
import { restorePlans, restoreRuns } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { abandon, completed, finishMoves } from './finish-moves.js';
import { writeManifest } from './manifest.js';
import { surveyArchive } from './survey-archive.js';

export type RestoreNeeds = Pick<Dependencies, 'storage' | 'driver' | 'secrets' | 'redactor' | 'settings'>;

interface Work {
  context: JobContext;
  order: RestoreParameters;
  target: RepositoryTarget;
  options: OperationOptions;
}

/**
 * Extracts beside the target and moves into place what came out whole. Up to the first move, every end leaves the
 * target as it was; from there on it is finished, or taken back, also by another process.
 */
export const runRestore =
  (needs: RestoreNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const order = context.job.parameters as RestoreParameters;
    const { target, release } = openTarget(needs)(context.repository);
    const bypassLock = context.repository.bypass_lock;
    const options = { ...context.toolOptions(), bypassLock };
    try {
      return await restore(needs, { context, order, target, options });
    } finally {
      release();
    }
  };

async function restore(needs: RestoreNeeds, work: Work): Promise<JobResult> {
  const { context, order } = work;
  await refuseUnlessSame(needs, work);
  context.progress({ message: 'Reading the list of the archive' });
  const survey = await surveyArchive(needs.driver, work);
  const parent = await survey.stagingParent();
  const [obstacle] = obstaclesOf({ survey, order, freeBytes: await freeBytes(parent) });
  if (obstacle) throw conflict(obstacle);
  const folder = join(parent, stagingName(context.job.id, needs.settings.installation));
  const jobId = context.job.id;
  await needs.storage.insert(restoreRuns, { job_id: jobId, staging: folder, phase: 'extracting' });
  const staging = await makeStaging(folder);
  try {
    const warnings = await extract(needs, { ...work, survey, staging });
    await commit(needs, { ...work, staging, warnings });
  } catch (error) {
    await abandon(needs, { jobId, staging });
    throw error;
  }
  context.progress({ message: 'Moving into place' });
  return completed(await finishMoves(needs, { jobId, staging }));
}

/** The archive is still that one, and nothing changed at the target since the plan. */
async function refuseUnlessSame({ driver, storage }: RestoreNeeds, { order, target, options }: Work) {
  const { value } = await driver.listArchives(target, {}, options);
  if (!value.some(({ name, id }) => name === order.archive && id === order.archiveId)) {
    throw notFound(
      `Archive ${order.archive} is not in the repository any more, or another one has its name.`,
    );
  }
  if (order.planId === null) return;
  const [plan] = await storage.find(restorePlans, { where: { id: order.planId }, limit: 1 });
  const changed = plan && (await changedSince(plan.stamps));
  if (changed) throw conflict(`The target changed since the plan was made, at ${changed}: make a new plan.`);
}

type Extraction = Work & { survey: Survey; staging: Staging };

async function extract({ driver }: RestoreNeeds, work: Extraction): Promise<string[]> {
  const { context, order, target, options, survey, staging } = work;
  if (!driver.extract) throw conflict('The backup tool of this installation can not restore.');
  context.progress({ message: 'Extracting', expectedSize: survey.bytes });
  const input = { archive: order.archive, paths: survey.selection.real, folder: staging.tree };
  const { warnings } = await driver.extract(target, input, {
    ...options,
    onProgress: ({ current, currentPath }) => context.progress({ originalSize: current, currentPath }),
  });
  if (warnings.length === 0) return [];
  const entries = driver.listEntries(target, { archive: order.archive }, options);
  const dropped = await dropIncomplete(staging.tree, { entries, order });
  const lost = dropped > 0 ? [`${dropped} files could not be brought back whole and were left out.`] : [];
  return [...lost, ...warnings];
}

/** From here on the restore takes place: who finds it like this finishes it. */
async function commit(needs: RestoreNeeds, work: Work & { staging: Staging; warnings: string[] }) {
  const { context, order, staging, warnings } = work;
  const plan = await planMoves(staging.tree, order);
  const made = plan.moves.length > 0 ? await missingDirectories(order.destination) : [];
  const journal: Journal = { made, moves: plan.moves };
  await writeJournal(staging, journal);
  const jobId = context.job.id;
  await writeManifest(needs.storage, jobId, plan.manifest);
  context.signal.throwIfAborted();
  const warning = warnings.length > 0 ? warnings.slice(0, 5).join(' ') : null;
  const outcome: RestoreOutcome = { ...plan.counts, warning };
  const where = { job_id: jobId, phase: 'extracting' as const };
  if ((await needs.storage.update(restoreRuns, where, { phase: 'moving', outcome })) === 0) {
    throw conflict('Another instance of the service took this restore over.');
  }
}
