import { atMost } from '../../foundation/kernel/index.js';
import { newSurvey, skippedFrom } from '../places/index.js';
import { type LeftOut, leftOutBy } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { BackupsNeeds } from './needs.js';

/** How long the search may go on after the tool has ended. */
const patienceMs = 30_000;

type Search = Pick<LeftOut, 'excluded' | 'oneFileSystem'> & {
  survey: ReturnType<typeof newSurvey>;
  foldersOnly: true;
  signal: AbortSignal;
};

/** Looks for mount points and subvolumes that `--one-file-system` leaves out, while the tool runs. */
export function skippedBy(
  { driver }: Pick<BackupsNeeds, 'driver'>,
  repository: Pick<RepositoryRow, 'source_directories' | 'exclude_patterns' | 'custom_flags'>,
) {
  const { excluded, oneFileSystem } = leftOutBy(driver, repository);
  let survey = newSurvey();
  let over = new AbortController();
  let searching: Promise<void> = Promise.resolve();
  return {
    async during<T>(search: (options: Search) => Promise<void>, work: () => Promise<T>): Promise<T> {
      if (!oneFileSystem) return work();
      over = new AbortController();
      survey = newSurvey();
      const options = { excluded, oneFileSystem, foldersOnly: true as const, survey, signal: over.signal };
      searching = search(options).catch(() => undefined);
      try {
        return await work();
      } catch (error) {
        over.abort();
        throw error;
      }
    },
    async found(): Promise<string[]> {
      await atMost(patienceMs, searching);
      over.abort();
      return skippedFrom(survey.tally, repository.source_directories);
    },
  };
}
