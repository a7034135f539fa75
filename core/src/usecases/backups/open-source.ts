import { AppError } from '../../errors.js';
import type { JobContext } from '../../runtime/job-contract.js';
import type { RepositoryRow } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import type { BackupSource } from './backup-source.js';
import { type RemoteSourceNeeds, remoteSource } from './pull/remote-source.js';

export type SourceNeeds = RemoteSourceNeeds & Pick<Dependencies, 'files' | 'driver'>;
type Run = Pick<JobContext, 'repository' | 'log'>;

/** AppError `invalid` when the connection to the sources is gone: this machine is never taken instead. */
export const openSource = (needs: SourceNeeds, run: Run): Promise<BackupSource> =>
  run.repository.source_connection_id === null
    ? Promise.resolve(localSource(needs, run.repository))
    : remoteSource(needs, run);

function localSource(
  { files, driver }: Pick<SourceNeeds, 'files' | 'driver'>,
  { source_directories: sources }: RepositoryRow,
): BackupSource {
  return {
    connectionId: null,
    async refuseWithoutSources() {
      const kinds = await Promise.all(sources.map((path) => files.kind(path)));
      if (kinds.every((kind) => kind === 'missing')) {
        throw new AppError(
          'invalid',
          `None of the source directories is there: ${sources.join(', ')}. ` +
            'Mount or create them, or correct the list in the repository.',
        );
      }
    },
    create: (target, input, options) => driver.createArchive(target, input, options),
    hasFile: () => files.hasFile(sources),
    measure: (signal) => files.measure(sources, signal),
  };
}
