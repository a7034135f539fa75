import { type ArchiveEntry, ArchiveShape, canonicalPath, problemOfName } from '@holdfast/plugin-api/driver';
import type { LoadedSource } from '../../engine/plugins/index.js';
import { say } from '../../foundation/kernel/index.js';
import { Selection } from '../restore/index.js';
import { dumpAt } from '../sources/index.js';
import { because } from './compare.rules.js';
import { CoverageTally, type Proofs } from './coverage.rules.js';
import type { DrillParameters, PathResult } from './drill.rules.js';
import type { TriedDump } from './drill-work.js';
import { type Candidate, Sampler } from './sample.rules.js';

/** Further files below the fixed paths are neither examined nor named. */
const maxFixed = 10_000;
/** More files that the listing shows as damaged are counted, not named. */
const maxDamaged = 1_000;
/** More dumps are only tested as files. */
const maxDumps = 1_000;

/** The files to restore from an archive, and results from the listing alone. */
export interface Survey {
  /** In the order of the archive. */
  picks: Candidate[];
  /** Verdicts that need no restore. */
  known: PathResult[];
  /** Tested in a server of their own, instead of as files. */
  dumps: TriedDump[];
  /** Files below fixed paths beyond the limit. */
  leftOut: number;
  tally: CoverageTally;
}

/** Reads the listing of an archive once. Its memory depends on the limits of the drill, not on the archive. */
export async function surveyArchive(
  entries: AsyncIterable<ArchiveEntry[]>,
  { sampleFiles, sampleBytes, fixedPaths }: DrillParameters,
  { proofs, kinds }: { proofs: Proofs; kinds: readonly LoadedSource[] },
): Promise<Survey> {
  const sampler = new Sampler({ files: sampleFiles, bytes: sampleBytes });
  const fixed = fixedPaths.length > 0 ? new Selection(fixedPaths) : null;
  const chosen: Candidate[] = [];
  const known: PathResult[] = [];
  const dumps: TriedDump[] = [];
  const tally = new CoverageTally();
  let leftOut = 0;
  let index = 0;
  for await (const batch of entries) {
    for (const entry of batch) {
      const path = canonicalPath(entry.path);
      const isChosen = fixed?.has(path) === true;
      if (entry.type !== 'file' && entry.type !== 'symlink') continue;
      index += 1;
      const isFile = entry.type === 'file' && entry.hardLinkTarget === null;
      const passedAt = isFile ? proofs.of({ path, size: entry.size, mtime: entry.mtime }) : 0;
      if (isFile) tally.add(entry.size, passedAt);
      if (!entry.healthy) {
        if (isFile) tally.judge(entry.size, passedAt, null);
        if (known.length < maxDamaged) known.push(resultOf(entry, path, 'failed', damageOf(entry)));
        continue;
      }
      if (problemOfName(entry.path)) continue;
      const candidate = { entry, path, index, passedAt };
      const place = isFile ? dumpAt(path) : null;
      const prove = place && kinds.find(({ id }) => id === place.kind)?.source.prove;
      if (place && prove && dumps.length < maxDumps) dumps.push({ ...candidate, place, prove });
      else if (isChosen && chosen.length < maxFixed) chosen.push(candidate);
      else if (isChosen) leftOut += 1;
      // A further name of a hard-linked file has the content of the first.
      else if (isFile || entry.type === 'symlink') sampler.add(candidate);
    }
  }
  for (const path of fixed?.missing ?? []) known.push(missingPath(path));
  const picks = [...chosen, ...sampler.pick()].sort((a, b) => a.index - b.index);
  return { picks: besideEachOther(picks, known), known, dumps, leftOut, tally };
}

/** Leaves out what could be written through a symlink of the archive, or would be in the way. */
function besideEachOther(picks: readonly Candidate[], known: PathResult[]): Candidate[] {
  const shape = new ArchiveShape();
  return picks.filter(({ entry, path }) => {
    const { hardLinkTarget: source } = entry;
    const problem = (source === null ? null : shape.problemOfHardLink(source)) ?? shape.add(path, entry.type);
    if (problem !== null) {
      const reason = say`drill_entry_refused: It was skipped: ${{ problem }}.`;
      known.push(resultOf(entry, path, 'not_examined', reason));
    }
    return problem === null;
  });
}

export const resultOf = (
  { type, size, mtime }: ArchiveEntry,
  path: string,
  verdict: 'failed' | 'not_examined',
  reason: ReturnType<typeof lostContent>,
): PathResult => ({
  path,
  type,
  size,
  mtime,
  sha256: null,
  verdict,
  source: 'not_here',
  bySource: false,
  ...because(reason),
});

const damageOf = ({ oversized }: ArchiveEntry) =>
  oversized
    ? say`drill_content_oversized: The archive has more data for it than its listing says.`
    : lostContent();

const lostContent = () =>
  say`drill_content_lost: The archive lists it as damaged: content was lost and replaced with zeros.`;

const missingPath = (path: string): PathResult => ({
  path,
  type: 'file',
  size: 0,
  mtime: 0,
  sha256: null,
  verdict: 'failed',
  source: 'not_here',
  bySource: false,
  ...because(say`drill_path_not_in_archive: The archive has no such path.`),
});
