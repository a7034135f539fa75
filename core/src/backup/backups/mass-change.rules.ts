import { type Message, say } from '../../foundation/kernel/index.js';
import type { ArchiveDelta } from '../../foundation/ports/archive-index.js';
import type { BackupOutcome, RepositoryRow } from '../repositories/index.js';

export type MassChangeLimits = Pick<RepositoryRow, 'mass_change_percent' | 'mass_change_files'>;

/** Of all files: with a new extension. */
const renamedPercent = 80;
const fewestRenamed = 50;
const kept = { folders: 10, examples: 5, length: 500 };
const shown = { folders: 3, examples: 2 };

/**
 * Null unless most files changed or vanished. Files of a source that is not in the archive (`isPartial`) seem removed;
 * they count only under another name.
 */
export function massChangeIn(
  delta: ArchiveDelta,
  limits: MassChangeLimits,
  isPartial: boolean,
): Omit<NonNullable<BackupOutcome['massChange']>, 'before'> | null {
  const { filesBefore: files_before, changed, removed, renamed, folders } = delta;
  const { mass_change_percent: percent, mass_change_files: fewest } = limits;
  const lost = changed + (isPartial ? renamed : removed);
  const isMuch = files_before >= fewest && lost * 100 > percent * files_before;
  const isRenamed = files_before >= fewestRenamed && renamed * 100 >= renamedPercent * files_before;
  if (percent === 0 || !(isMuch || isRenamed)) return null;
  const short = (text: string) => text.slice(0, kept.length).replace(/[\p{Surrogate}\p{Cc}]/gu, '\uFFFD');
  return {
    files_before,
    changed,
    removed,
    renamed,
    folders: folders.slice(0, kept.folders).map(({ path, examples, ...counts }) => ({
      path: short(path),
      ...counts,
      examples: examples.slice(0, kept.examples).map(short),
    })),
  };
}

export function massChangeRemark(change: NonNullable<BackupOutcome['massChange']>): Message {
  const { changed, removed, files_before, before } = change;
  const folders = change.folders
    .slice(0, shown.folders)
    .map((folder) => `/${folder.path} (${folder.examples.slice(0, shown.examples).join(', ')})`);
  return say`backup_mass_change: Of ${{ files_before }} files in archive ${{ archive: before.name }}, ${{ changed }} changed and ${{ removed }} were removed, most of them in: ${{ folders }}. Nothing is pruned until you accept the changes.`;
}

/** A clause, for sentences. */
export const massChangeReason = ({
  changed,
  removed,
  files_before,
}: Pick<NonNullable<BackupOutcome['massChange']>, 'changed' | 'removed' | 'files_before'>): Message =>
  say`archive_mass_change: of ${{ files_before }} files, ${{ changed }} changed and ${{ removed }} were removed`;
