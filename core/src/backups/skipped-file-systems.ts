import { setTimeout as pause } from 'node:timers/promises';
import type { SourceTally } from '../ports/filesystem.js';
import { leftOutBy } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { BackupsNeeds } from './needs.js';

/** How long the search may go on after the tool has ended. */
const patienceMs = 30_000;

/** Looks for mount points and subvolumes that `--one-file-system` leaves out, while the tool runs. */
export function skippedBy(
  { files, driver }: Pick<BackupsNeeds, 'files' | 'driver'>,
  repository: Pick<RepositoryRow, 'source_directories' | 'exclude_patterns' | 'custom_flags'>,
) {
  const { excluded, oneFileSystem } = leftOutBy(driver, repository);
  const otherFileSystems: string[] = [];
  const tally: SourceTally = {
    ...{ files: 0, bytes: 0, symlinks: 0, unreadable: 0, unreadablePaths: [], otherFileSystems },
  };
  const over = new AbortController();
  let searching: Promise<void> = Promise.resolve();
  return {
    start(sources: readonly string[]) {
      if (!oneFileSystem) return;
      const options = { tally, excluded, oneFileSystem, foldersOnly: true, signal: over.signal };
      searching = files.survey(sources, options).catch(() => undefined);
    },
    async found(): Promise<string[]> {
      await Promise.race([searching, pause(patienceMs, undefined, { ref: false })]);
      over.abort();
      return otherFileSystems.filter((path) => !repository.source_directories.includes(path)).toSorted();
    },
  };
}
