import {
  type BackupDriver,
  isDriverError,
  type OperationOptions,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { asReason, type Message, messageOf, say } from '../../foundation/kernel/index.js';
import { reserveBytes, withinRoom } from '../restore/index.js';
import { isWhole } from './compare.rules.js';
import type { PathResult } from './drill.rules.js';
import type { Candidate } from './sample.rules.js';
import { dropScratch, Tree } from './scratch.fs.js';
import { resultOf } from './survey-archive.js';

/** After so many files that can't be restored, the rest is left out: each costs two runs of the tool. */
const maxSingle = 20;

interface Extraction {
  driver: Required<Pick<BackupDriver, 'extract'>>;
  target: RepositoryTarget;
  archive: string;
  folder: string;
  options: OperationOptions;
  signal: AbortSignal;
}

/**
 * Extracts the picks in archive order. The tool stops at the first file that it cannot read, so that file is
 * retried alone before the rest continues. Returns verdicts on files that could not be extracted.
 */
export async function extractPicks(
  picks: readonly Candidate[],
  extraction: Extraction,
): Promise<Map<Candidate, PathResult>> {
  const bad = new Map<Candidate, PathResult>();
  for (const batch of batchesOf(picks)) await extractBatch(batch, extraction, bad);
  return bad;
}

/** The arguments of a program have a limit: 2 MiB as a rule. */
const maxArgumentBytes = 1_000_000;

function batchesOf(picks: readonly Candidate[]): Candidate[][] {
  const batches: Candidate[][] = [];
  let bytes = maxArgumentBytes;
  for (const pick of picks) {
    const length = argumentBytes(pick.path);
    if (bytes + length > maxArgumentBytes) {
      batches.push([]);
      bytes = 0;
    }
    bytes += length;
    batches.at(-1)?.push(pick);
  }
  return batches;
}

/** Other characters than these are escaped. */
const argumentBytes = (path: string): number =>
  12 + path.length + 9 * (path.length - path.replace(/[^\x20-\x7e]/g, '').length);

async function extractBatch(
  picks: readonly Candidate[],
  extraction: Extraction,
  bad: Map<Candidate, PathResult>,
): Promise<void> {
  let left = [...picks];
  while (left.length > 0 && bad.size < maxSingle) {
    const problem = await tryToExtract(left, extraction);
    if (problem === null) {
      left = [];
      break;
    }
    left = await withoutWhole(left, extraction.folder);
    const [suspect, ...others] = left;
    if (!suspect) break;
    const alone = left.length === 1 ? problem : await tryToExtract([suspect], extraction);
    if (alone !== null) {
      const reason = say`drill_not_readable: It cannot be restored: ${{ problem: alone.text }}`;
      bad.set(
        suspect,
        resultOf(suspect.entry, suspect.path, 'failed', reason.with(asReason(alone, 'problem'))),
      );
      await dropScratch(extraction.folder, suspect.path);
    }
    left = others;
  }
  if (left.length > 0 && bad.size >= maxSingle) {
    const reason = say`drill_left_out: It was skipped because ${{ count: bad.size }} files before it failed.`;
    for (const pick of left) bad.set(pick, resultOf(pick.entry, pick.path, 'not_examined', reason));
  }
}

/** Null on success, otherwise the error of the tool about the damage. */
async function tryToExtract(
  picks: readonly Candidate[],
  { driver, target, archive, folder, options, signal }: Extraction,
): Promise<Message | null> {
  try {
    const paths = picks.map(({ entry }) => entry.path);
    const maxBytes = bytesOf(picks);
    const limit = maxBytes === null ? {} : { maxBytes };
    await withinRoom({ folder, keepFree: reserveBytes, signal }, (inner) =>
      driver.extract(
        target,
        { archive, paths, folder, exact: true, ...limit },
        { ...options, signal: inner },
      ),
    );
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (isDriverError(error, 'damaged')) return messageOf(error);
    const { exitCode = null } = isDriverError(error, 'failed') ? error.options : {};
    // A killed tool says nothing about the archive.
    if (exitCode === null || exitCode >= 128) throw error;
    return messageOf(error);
  }
}

/** Null if unknown: a further hard link has no size. */
const bytesOf = (picks: readonly Candidate[]): number | null =>
  picks.some(({ entry }) => entry.hardLinkTarget !== null)
    ? null
    : picks.reduce((sum, { entry }) => sum + (entry.type === 'file' ? entry.size : 0), 0);

async function withoutWhole(picks: readonly Candidate[], folder: string): Promise<Candidate[]> {
  const tree = await Tree.open(folder);
  try {
    const left: Candidate[] = [];
    for (const pick of picks) if (!isWhole(pick.entry, await tree.look(pick.path))) left.push(pick);
    return left;
  } finally {
    await tree.close();
  }
}
