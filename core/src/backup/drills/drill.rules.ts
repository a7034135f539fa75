import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { escapeName, type Message, say } from '../../foundation/kernel/index.js';
import type { Coverage } from './coverage.rules.js';

/** `none`: no result, which says nothing about the repository. */
export type DrillVerdict = 'passed' | 'failed' | 'none';

/** Parameters of a drill job. JSON. */
export interface DrillParameters extends Record<string, unknown> {
  sampleFiles: number;
  sampleBytes: number;
  fixedPaths: string[];
  /** Planned instant of a scheduled drill; null for a manual one. */
  plannedAt: number | null;
  /** The job that a shutdown interrupted and that this one reruns. */
  rerunOf?: number;
}

/** The state of a source. `not_here`: on another machine, or the archive was not made by this service. */
type SourceState = 'unchanged' | 'changed' | 'missing' | 'not_here';

/** The verdict on one path. JSON; the keys are short because there are many. */
export interface PathResult {
  path: string;
  type: ArchiveEntry['type'];
  size: number;
  mtime: number;
  sha256: string | null;
  verdict: 'passed' | 'failed' | 'not_examined';
  source: SourceState;
  /** The hash of the source was compared. */
  bySource: boolean;
  reason?: { code: string; params: Message['params']; text: string };
}

/** Counts of a drill that examined files. JSON. */
interface DrillFigures {
  archiveFiles: number;
  archiveBytes: number;
  restoredFiles: number;
  restoredBytes: number;
  failedFiles: number;
  notExaminedFiles: number;
  comparedWithSource: number;
  sourceChanged: number;
  coveragePercent: number | null;
}

/** The `outcome` of a drill job. JSON. */
export interface DrillOutcome extends Record<string, unknown> {
  verdict: DrillVerdict;
  archive: { name: string; toolId: string; start: number } | null;
  figures: DrillFigures | null;
  /** Coverage of the archive, by the time of the tests. */
  coverage: Coverage | null;
  /** Why it failed. */
  error: { code: string; params: Message['params']; text: string } | null;
}

type Counted = Pick<
  DrillFigures,
  | 'restoredFiles'
  | 'restoredBytes'
  | 'failedFiles'
  | 'notExaminedFiles'
  | 'comparedWithSource'
  | 'sourceChanged'
>;

export function countResults(results: readonly PathResult[]): Counted {
  const examined = results.filter(({ verdict }) => verdict !== 'not_examined');
  const number = (of: (result: PathResult) => boolean) => examined.filter(of).length;
  return {
    restoredFiles: examined.length,
    restoredBytes: examined.reduce((sum, { verdict, size }) => sum + (verdict === 'passed' ? size : 0), 0),
    failedFiles: number(({ verdict }) => verdict === 'failed'),
    notExaminedFiles: results.length - examined.length,
    comparedWithSource: number(({ bySource }) => bySource),
    sourceChanged: number(({ source }) => source === 'changed' || source === 'missing'),
  };
}

const maxNamed = 5;

/** Names the first paths that were not as they were saved. */
export function failureOf(results: readonly PathResult[], archive: string): Message {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const paths = failed.slice(0, maxNamed).map(({ path }) => escapeName(path));
  const count = failed.length;
  const examined = results.filter(({ verdict }) => verdict !== 'not_examined').length;
  return say`drill_files_failed: ${{ count }} of ${{ examined }} files of ${{ archive }} were not restored as they were saved: ${{ paths }}. The drill's evidence lists all of them. Check the repository; back up again after a repair.`;
}
