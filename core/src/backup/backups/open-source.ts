import type { FoundSource } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { AppError, invalid, say, silentPlace } from '../../foundation/kernel/index.js';
import { asSaved } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { BackupSource } from './backup-source.js';
import type { BackupsNeeds } from './needs.js';
import { type RemoteSourceNeeds, remoteSource } from './pull/remote-source.js';
import { skippedBy } from './skipped-file-systems.js';

export type SourceNeeds = RemoteSourceNeeds & Pick<BackupsNeeds, 'files' | 'driver'>;
type Run = Pick<JobContext, 'repository' | 'log'>;

/**
 * Throws AppError `invalid` when the connection to the sources was deleted. Never falls back to this machine.
 */
export const openSource = (needs: SourceNeeds, run: Run): Promise<BackupSource> =>
  run.repository.source_connection_id === null
    ? Promise.resolve(localSource(needs, run.repository))
    : remoteSource(needs, run);

export function localSource(
  { files, driver }: Pick<SourceNeeds, 'files' | 'driver'>,
  repository: RepositoryRow,
): BackupSource {
  const { source_directories: sources } = repository;
  const watch = skippedBy({ driver }, repository);
  let found: FoundSource[] | null = null;
  const look = async () =>
    (await Promise.all(sources.map((path) => files.lookAt(path)))).map(asSaved(repository));
  return {
    connectionId: null,
    async assertSourcesExist() {
      if (sources.length === 0) return;
      const states = await look();
      if (states.every(({ state }) => state === 'missing' || state === 'silent')) {
        const silent = states.find(({ state }) => state === 'silent');
        if (silent) throw new AppError('unavailable', silentPlace(silent.path), { retryAfterSeconds: 30 });
        throw invalid(
          say`sources_absent: None of the source directories exists: ${{ sources }}. Mount or create them, or correct the list in the repository.`,
        );
      }
    },
    async create(target, input, options) {
      found = await look();
      const silent = new Set(found.filter(({ state }) => state === 'silent').map(({ path }) => path));
      // The tool would wait for them, and save nothing of the others.
      const answering = input.sources.filter((path) => !silent.has(path));
      return watch.during(
        ({ survey, ...search }) => files.survey(answering, { ...search, tally: survey.tally }),
        () => driver.createArchive(target, { ...input, sources: answering }, options),
      );
    },
    found: async () => found ?? look(),
    skipped: () => watch.found(),
    hasFile: () => files.hasFile(sources),
    measure: (signal) => files.measure(sources, signal),
  };
}
