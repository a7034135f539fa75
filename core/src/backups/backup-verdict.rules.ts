import type { ArchiveStats, FoundSource } from '@holdfast/plugin-api/driver';
import { humanSize } from '../kernel/index.js';
import { symlinkRemark } from '../repositories/index.js';

/** What tool and sources told of a backup whose archive was made. */
export interface BackupFacts {
  stats: ArchiveStats;
  /** Null: what the tool said is not known any more. */
  warnings: string[] | null;
  sources: FoundSource[];
  /** Whether the sources may hold a regular file; asked for an archive without files. */
  mayHoldFiles: boolean;
}

/** What is known of the archives before it. */
export interface EarlierArchives {
  /** One of them may hold files. */
  mayHoldFiles: boolean;
  /** Sources in which an earlier backup found something. */
  filled: readonly string[];
  /** The newest one that has all of these sources; null when none is known. */
  whole: (Pick<ArchiveStats, 'originalSize' | 'files'> & { name: string }) | null;
}

export interface BackupVerdict {
  status: 'completed' | 'completed_with_warnings' | 'failed';
  /** Sentences; none for `completed`. */
  remarks: string[];
  /** The archive must not stay: nothing was saved. Then the status is `failed`. */
  isNothing: boolean;
  /** Sources that are not in the archive, or not as they were. */
  lacking: string[];
  /** Sources in which this or an earlier backup found something. */
  filled: string[];
  /** It fell by more than the limit against the last whole archive. */
  collapsed: boolean;
}

const excluded = 'The sources have files, but the exclude patterns or missing rights left none of them.';
const noWords =
  'The archive was made, but the backup was cut off before it had stored what the tool said: ' +
  'files may have been left out. See the log of the job.';

/**
 * Says what a backup is worth. An archive without files is nothing where there may be files: in the sources, behind
 * what could not be looked at, or in an earlier archive.
 */
export function judgeBackup(
  facts: BackupFacts,
  earlier: EarlierArchives,
  shrinkLimitPercent: number,
): BackupVerdict {
  const { stats, sources, warnings } = facts;
  const isLacking = ({ path, state }: FoundSource) =>
    state === 'missing' ||
    state === 'symlink' ||
    state === 'unreadable' ||
    (state === 'empty' && earlier.filled.includes(path));
  const lacking = sources.filter(isLacking);
  const found = {
    lacking: lacking.map(({ path }) => path),
    filled: sources
      .filter(({ path, state }) => state === 'present' || earlier.filled.includes(path))
      .map(({ path }) => path),
  };
  const told = warnings ?? [noWords];
  if (stats.files === 0 && (facts.mayHoldFiles || earlier.mayHoldFiles || lacking.length > 0)) {
    const why = sources.flatMap((source) => remarkOn(source, earlier, []));
    const remarks = [...(why.length > 0 ? why : [excluded]), ...told];
    return { status: 'failed', remarks, isNothing: true, collapsed: false, ...found };
  }
  const fallen = fallsOf(stats, earlier.whole, shrinkLimitPercent);
  const remarks = [...lacking.flatMap((source) => remarkOn(source, earlier, told)), ...fallen, ...told];
  const status = remarks.length > 0 ? 'completed_with_warnings' : 'completed';
  return { status, remarks, isNothing: false, collapsed: fallen.length > 0, ...found };
}

/** Nothing where the tool named the path itself. */
function remarkOn(source: FoundSource, earlier: EarlierArchives, told: readonly string[]): string[] {
  const { path, state } = source;
  if (state === 'symlink') return [symlinkRemark(source)];
  if (state === 'empty') {
    const before = earlier.filled.includes(path) ? ', and was not when it was backed up before' : '';
    return [`${path} is empty${before}: mount its disk, or take it out of the sources.`];
  }
  if (told.some((text) => text.includes(`${path}:`))) return [];
  if (state === 'missing') return [`${path}: not found.`];
  return state === 'unreadable' ? [`${path}: the service may not read it.`] : [];
}

function fallsOf(now: ArchiveStats, before: EarlierArchives['whole'], limit: number): string[] {
  const fell = (is: number, was: number) => (was - is) * 100 > limit * was;
  if (before === null || limit <= 0) return [];
  if (!fell(now.files, before.files) && !fell(now.originalSize, before.originalSize)) return [];
  const inWords = (files: number, size: number) => `${files} files (${humanSize(size)})`;
  return [
    `Only ${inWords(now.files, now.originalSize)}, after ${inWords(before.files, before.originalSize)} in archive ` +
      `${before.name}: a fall by more than ${limit} %. If that is meant, delete the older archives, or set ` +
      'shrink_warning_percent of the repository to 0 for one backup.',
  ];
}
