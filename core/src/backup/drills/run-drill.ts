import { isDriverError } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import {
  asReason,
  conflict,
  humanSize,
  type Message,
  messageFrom,
  messageOf,
  say,
  storedMessage,
} from '../../foundation/kernel/index.js';
import { openTarget } from '../repositories/index.js';
import { freeBytes, reserveBytes } from '../restore/index.js';
import { comparePath } from './compare.rules.js';
import { coveragePercent, type Proofs } from './coverage.rules.js';
import {
  countResults,
  type DrillOutcome,
  type DrillParameters,
  failureOf,
  type PathResult,
} from './drill.rules.js';
import type { DrillWork } from './drill-work.js';
import { readProofs, writeEvidence } from './evidence.js';
import { extractPicks } from './extract-picks.js';
import type { DrillsNeeds } from './needs.js';
import { isFromHere, newestArchive } from './newest-archive.js';
import { readRestored, readSources } from './read-picks.js';
import type { Candidate } from './sample.rules.js';
import { dumpScratch, makeScratch, prepareScratch, removeScratch, scratchFolder } from './scratch.fs.js';
import { type Survey, surveyArchive } from './survey-archive.js';
import { tryDumps } from './try-dumps.js';

export type RunNeeds = DrillsNeeds;

export const cannotDrill = say`drill_unsupported: The backup driver of this installation cannot restore, so it cannot run drills either.`;

interface Chosen extends Survey {
  archive: NonNullable<DrillOutcome['archive']>;
}

/** Restores picked files into a scratch folder and compares them. Always removes the folder. */
export async function runDrill(needs: RunNeeds, context: JobContext): Promise<JobResult> {
  const { repository, job } = context;
  if (!needs.driver.extract) return { status: 'failed', error: cannotDrill };
  const { target, release } = openTarget(needs, repository);
  const options = { ...context.toolOptions(), bypassLock: repository.bypass_lock };
  const work = { context, target, options, order: job.parameters as DrillParameters };
  const folder = scratchFolder(needs.settings.dataDirectory, job.id);
  let archive: DrillOutcome['archive'] = null;
  try {
    const chosen = await choose(needs, work, (found) => {
      archive = found;
    });
    const examined = await examine(needs, work, { ...chosen, folder });
    const apart = {
      ...work,
      archive: chosen.archive.name,
      folder: dumpScratch(needs.settings.dataDirectory, job.id),
    };
    const results = [...chosen.known, ...examined, ...(await tryDumps(needs, apart, chosen.dumps))];
    return await conclude(needs, context, { chosen, results });
  } catch (error) {
    if (!isDriverError(error, 'damaged') || context.signal.aborted) throw error;
    return unreadable(archive, error);
  } finally {
    release();
    await removeScratch(needs.settings.dataDirectory, job.id).catch((error: Error) =>
      context.log({ level: 'warning', text: `The scratch folder could not be removed: ${error.message}` }),
    );
  }
}

/** Picks what to restore from the newest archive. */
async function choose(
  needs: RunNeeds,
  { context, target, options, order }: DrillWork,
  onArchive: (archive: NonNullable<DrillOutcome['archive']>) => void,
): Promise<Chosen> {
  context.progress({ message: 'Reading the archive listing' });
  const { id: toolId, name, start } = await newestArchive(needs, { context, target, options });
  const archive = { name, toolId, start };
  onArchive(archive);
  const proofs: Proofs = await readProofs(needs, context.repository.id);
  const survey = await surveyArchive(needs.driver.listEntries(target, { archive: name }, options), order, {
    proofs,
    kinds: needs.sourceKinds,
  });
  if (survey.picks.length + survey.known.length + survey.dumps.length > 0) return { ...survey, archive };
  throw conflict(nothingToRestore(name));
}

const nothingToRestore = (archive: string): Message =>
  say`drill_nothing_to_restore: Archive ${{ archive }} has no file that the drill can restore: raise sample_bytes, or back up again.`;

/** Disk space per file in addition to its content. */
const perFile = 4096;

async function makeRoom(needs: RunNeeds, { picks, folder }: { picks: readonly Candidate[]; folder: string }) {
  const parent = await prepareScratch(needs.settings.dataDirectory);
  const needed = picks.reduce((sum, { entry }) => sum + entry.size + perFile, reserveBytes);
  const free = await freeBytes(parent);
  if (free < needed) {
    throw conflict(
      say`drill_scratch_too_small: The drill needs ${{ needed: humanSize(needed) }} in ${{ folder: parent }}, which has ${{ free: humanSize(free) }} free: free some space, or lower sample_bytes.`,
    );
  }
  await makeScratch(folder);
}

async function examine(
  needs: RunNeeds,
  { context, target, options }: DrillWork,
  { picks, archive, folder }: Chosen & { folder: string },
): Promise<PathResult[]> {
  const { signal } = context;
  const extract = needs.driver.extract;
  if (picks.length === 0 || !extract) return [];
  await makeRoom(needs, { picks, folder });
  const expectedSize = picks.reduce((sum, { entry }) => sum + entry.size, 0);
  context.progress({ message: 'Restoring', expectedSize });
  const fromHere = await isFromHere(needs, context.repository.id, archive.toolId);
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  let over = false;
  // Meanwhile, as the tool takes one processor.
  const reading = Promise.all([
    readRestored(picks, { folder, isOver: () => over, signal: both }),
    fromHere ? readSources(picks, both) : null,
  ]);
  // Errors are reported below.
  reading.catch(() => undefined);
  try {
    const bad = await extractPicks(picks, {
      driver: { extract },
      target,
      archive: archive.name,
      folder,
      signal,
      options: {
        ...options,
        onProgress: ({ current, currentPath }) => context.progress({ originalSize: current, currentPath }),
      },
    });
    over = true;
    context.progress({ message: 'Comparing' });
    const [restored, sources] = await reading;
    return picks.map((pick) => {
      const { entry, path } = pick;
      const known = { restored: restored.get(pick) ?? null, source: sources?.get(pick) ?? null };
      return bad.get(pick) ?? comparePath({ entry, path, ...known, archiveStart: archive.start });
    });
  } finally {
    stop.abort();
    await reading.catch(() => undefined);
  }
}

/** Writes the evidence together with the outcome, which a recovery of the job then repeats. */
async function conclude(
  needs: RunNeeds,
  { job }: JobContext,
  { chosen, results }: { chosen: Chosen; results: PathResult[] },
): Promise<JobResult> {
  const { archive, picks, dumps, tally, leftOut } = chosen;
  const now = needs.clock.now();
  const byPath = new Map(results.map((result) => [result.path, result.verdict]));
  for (const { entry, path, passedAt } of [...picks, ...dumps]) {
    const verdict = byPath.get(path);
    const isFile = entry.type === 'file' && entry.hardLinkTarget === null;
    if (isFile && verdict !== 'not_examined')
      tally.judge(entry.size, passedAt, verdict === 'passed' ? now : null);
  }
  const counts = countResults(results);
  const { coverage } = tally;
  const figures = {
    ...counts,
    notExaminedFiles: counts.notExaminedFiles + leftOut,
    archiveFiles: tally.files,
    archiveBytes: tally.bytes,
    coveragePercent: coveragePercent(coverage, now),
  };
  const verdict = counts.failedFiles > 0 ? 'failed' : counts.restoredFiles > 0 ? 'passed' : 'none';
  const problem =
    verdict === 'failed'
      ? failureOf(results, archive.name)
      : verdict === 'none'
        ? nothingToRestore(archive.name)
        : null;
  const error = problem && storedMessage(problem);
  const outcome: DrillOutcome = { verdict, archive, figures, coverage, error };
  await writeEvidence(needs, job, { results, outcome, at: now });
  return resultOfDrill(outcome);
}

/** The end of a drill, from its outcome. */
export function resultOfDrill(outcome: DrillOutcome): JobResult {
  const { error, figures } = outcome;
  return {
    status: error ? 'failed' : 'completed',
    error: error && messageFrom(error),
    outcome,
    progress: {
      percent: 100,
      message: null,
      files: figures?.restoredFiles ?? 0,
      originalSize: figures?.restoredBytes ?? 0,
    },
  };
}

/** Damage that keeps the tool from reading the archive at all. */
function unreadable(archive: DrillOutcome['archive'], error: unknown): JobResult {
  const problem: Message = messageOf(error as Error);
  const message = archive
    ? say`drill_archive_unreadable: Archive ${{ archive: archive.name }} cannot be read: ${{ problem: problem.text }}`
    : say`drill_repository_unreadable: The archives cannot be listed: ${{ problem: problem.text }}`;
  const outcome: DrillOutcome = {
    verdict: 'failed',
    archive,
    figures: null,
    coverage: null,
    error: storedMessage(message.with(asReason(problem, 'problem'))),
  };
  return resultOfDrill(outcome);
}
