import type { ArchiveStats, FoundSource, UnreadPaths } from '@holdfast/plugin-api/driver';
import {
  humanSize,
  type Message,
  messageFrom,
  type StoredMessage,
  say,
  silentPlace,
  toolWarnings,
} from '../../foundation/kernel/index.js';
import type { ArchiveDelta } from '../../foundation/ports/archive-index.js';
import { type BackupOutcome, type RepositoryRow, symlinkRemark } from '../repositories/index.js';
import { type MassChangeLimits, massChangeIn, massChangeRemark } from './mass-change.rules.js';

export const notInArchive = ({ name, failure }: { name: string; failure: StoredMessage }): Message =>
  say`source_not_in_archive: ${{ source: name }} is not protected by this backup: ${{ reason: messageFrom(failure).text }}`;

/** What the tool and the sources reported about a backup that made an archive. */
export interface BackupFacts {
  stats: ArchiveStats;
  /** Null when the tool's warnings were lost. */
  warnings: string[] | null;
  sources: FoundSource[];
  unread?: UnreadPaths | undefined;
  /** Other file systems below the sources that were left out. */
  skipped?: string[];
  /** Sources such as databases that the archive lacks. */
  unprepared?: { name: string; failure: StoredMessage }[];
  /** Whether the sources may contain a regular file. Matters only for an archive without files. */
  mayHoldFiles: boolean;
  /** Compared with the archive before it; null or absent when that is not known. */
  delta?: ArchiveDelta | null;
}

/** What is known about earlier archives. */
export interface EarlierArchives {
  /** Whether any of them may contain files. */
  mayHoldFiles: boolean;
  /** Sources in which an earlier backup found something. */
  filled: readonly string[];
  /** File systems that an earlier backup left out, and said so. */
  skipped?: readonly string[];
  /** Name of the archive that `delta` compares with. */
  before?: string | undefined;
  /** The newest archive with all of the same sources; null when none is known. */
  whole: (Pick<ArchiveStats, 'originalSize' | 'files'> & { name: string }) | null;
}

export interface BackupVerdict {
  status: 'completed' | 'completed_with_warnings' | 'failed';
  /** Empty for `completed`. */
  remarks: Message[];
  /** Nothing was saved, so the archive must be removed. The status is then `failed`. */
  isNothing: boolean;
  /** Sources that are missing from the archive, or paths in them that failed to be read. */
  lacking: string[];
  /** Sources in which this or an earlier backup found something. */
  filled: string[];
  /** The archive shrank by more than the limit compared with the last complete one. */
  collapsed: boolean;
  massChange?: BackupOutcome['massChange'];
}

export type BackupLimits = MassChangeLimits & Pick<RepositoryRow, 'shrink_warning_percent'>;

const nothingLeft = say`backup_sources_all_left_out: The sources contain files, but exclude patterns or missing permissions left nothing to back up.`;
const lostWarnings = say`backup_warnings_lost: The archive was created, but the backup was interrupted before Borg's warnings were stored. Files may be missing: see the job log.`;

/**
 * Judges a backup. An archive without files counts as nothing when there may be files: in the sources, behind
 * something unreadable, or in an earlier archive.
 */
export function judgeBackup(
  facts: BackupFacts,
  earlier: EarlierArchives,
  limits: BackupLimits,
): BackupVerdict {
  const { stats, sources, warnings } = facts;
  const isLacking = ({ path, state }: FoundSource) =>
    state === 'missing' ||
    state === 'symlink' ||
    state === 'unreadable' ||
    state === 'silent' ||
    (state === 'empty' && earlier.filled.includes(path));
  const lacking = sources.filter(isLacking);
  const { unprepared = [] } = facts;
  const found = {
    lacking: [
      ...new Set([
        ...lacking.map(({ path }) => path),
        ...unprepared.map(({ name }) => name),
        ...lostPaths(facts.unread),
      ]),
    ],
    filled: sources
      .filter(({ path, state }) => state === 'present' || earlier.filled.includes(path))
      .map(({ path }) => path),
  };
  const reported = warnings === null ? [lostWarnings] : toolWarnings(warnings);
  if (stats.files === 0 && (facts.mayHoldFiles || earlier.mayHoldFiles || lacking.length > 0)) {
    const why = sources.flatMap((source) => remarkOn(source, earlier, []));
    const remarks = [...(why.length > 0 ? why : [nothingLeft]), ...reported];
    return { status: 'failed', remarks, isNothing: true, collapsed: false, ...found };
  }
  const shrunk = shrinkWarnings(stats, earlier.whole, limits.shrink_warning_percent);
  const massChange = massChangeOf(facts, earlier, { limits, isPartial: found.lacking.length > 0 });
  const remarks = [
    ...unprepared.map(notInArchive),
    ...lacking.flatMap((source) => remarkOn(source, earlier, reported)),
    ...shrunk,
    ...(massChange ? [massChangeRemark(massChange)] : []),
    ...skipWarnings(facts.skipped ?? [], earlier.skipped ?? []),
    ...reported,
  ];
  const status =
    unprepared.length > 0 ? 'failed' : remarks.length > 0 ? 'completed_with_warnings' : 'completed';
  const verdict = { status, remarks, isNothing: false, collapsed: shrunk.length > 0, ...found } as const;
  return massChange ? { ...verdict, massChange } : verdict;
}

function massChangeOf(
  { delta }: BackupFacts,
  { before }: EarlierArchives,
  { limits, isPartial }: { limits: MassChangeLimits; isPartial: boolean },
): BackupVerdict['massChange'] {
  const change = delta && massChangeIn(delta, limits, isPartial);
  return change ? { ...change, before: { id: delta.before, name: before ?? delta.before } } : undefined;
}

const mostLost = 20;

/**
 * Paths that count like a missing source: what failed, as below a mount that went away. What the service may not read is
 * often meant to be so, and counts only if there is very much of it.
 */
const lostPaths = ({ failed, denied, more }: UnreadPaths = { failed: [], denied: [], more: 0 }): string[] =>
  (more > 0 ? [...failed, ...denied] : failed).slice(0, mostLost);

/** Empty when the tool already named the path. */
function remarkOn(source: FoundSource, earlier: EarlierArchives, reported: readonly Message[]): Message[] {
  const { path, state } = source;
  if (state === 'symlink') return [symlinkRemark(source)];
  if (state === 'empty') {
    return earlier.filled.includes(path)
      ? [
          say`source_emptied: ${{ path }} is empty, but was not in an earlier backup. Mount its disk, or remove it from the sources.`,
        ]
      : [say`source_empty: ${{ path }} is empty. Mount its disk, or remove it from the sources.`];
  }
  if (reported.some(({ text }) => text.includes(`${path}:`))) return [];
  if (state === 'missing') return [say`source_not_found: ${{ path }}: not found.`];
  if (state === 'silent') return [silentPlace(path)];
  return state === 'unreadable' ? [say`source_unreadable: ${{ path }}: Holdfast cannot read it.`] : [];
}

/** Once: until there are others. */
function skipWarnings(skipped: readonly string[], known: readonly string[]): Message[] {
  const paths = skipped.filter((path) => !known.includes(path));
  return paths.length === 0
    ? []
    : [
        say`backup_skips_file_systems: --one-file-system skips these file systems and subvolumes: ${{ paths }}. Add them to the sources, or exclude them.`,
      ];
}

function shrinkWarnings(now: ArchiveStats, before: EarlierArchives['whole'], limit: number): Message[] {
  const hasShrunk = (is: number, was: number) => (was - is) * 100 > limit * was;
  if (before === null || limit <= 0) return [];
  if (!hasShrunk(now.files, before.files) && !hasShrunk(now.originalSize, before.originalSize)) return [];
  const [size, size_before] = [humanSize(now.originalSize), humanSize(before.originalSize)];
  const { name: archive, files: files_before } = before;
  return [
    say`backup_shrunk: Only ${{ files: now.files }} files (${{ size }}), compared with ${{ files_before }} files (${{ size_before }}) in archive ${{ archive }}: more than ${{ limit }} % less. If this is intended, delete the older archives, or set shrink_warning_percent of the repository to 0 for one backup.`,
  ];
}
