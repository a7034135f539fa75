import type { FoundSource } from '../../repositories/found-source.rules.js';
import { invalid } from '../../kernel/errors.js';
import type { JobContext } from '../../jobs/job-contract.js';
import { type RepositoryRow, type SshConnectionRow, sshConnections } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';
import type { BackupSource } from '../backup-source.js';
import { chooseWay } from './choose-way.js';
import { type SourceNeeds, sourceHost } from './source-host.js';
import { watchedHost } from './stall-watch.js';

export type RemoteSourceNeeds = SourceNeeds & Pick<Dependencies, 'driver' | 'settings'>;

/** Data on the host of the repository's source connection. AppError `invalid` when that is gone. */
export async function remoteSource(
  needs: RemoteSourceNeeds,
  run: Pick<JobContext, 'repository' | 'log'>,
): Promise<BackupSource> {
  const { driver } = needs;
  const connection = await sourceConnection(needs, run.repository);
  const pull = driver.pullArchive?.bind(driver);
  if (!pull) throw invalid('The backup tool can only save local data: clear source_connection_id.');
  let sourcesHaveFiles = true;
  let found: FoundSource[] = unknownSources(run.repository);
  return {
    connectionId: connection.id,
    // Only the host knows, and the run asks it.
    refuseWithoutSources: () => Promise.resolve(),
    async create(target, input, options) {
      const way = await chooseWay(needs, run, connection);
      const { stalledPullSeconds = 1_800 } = needs.settings;
      const host = watchedHost(await sourceHost(needs, connection, run.repository), stalledPullSeconds);
      const made = await pull(target, { ...input, host, way }, options);
      sourcesHaveFiles = made.value.sourcesHaveFiles;
      found = made.value.sources ?? found;
      return made;
    },
    found: () => Promise.resolve(found),
    hasFile: () => Promise.resolve(sourcesHaveFiles),
    measure: () => Promise.resolve(0),
  };
}

export const unknownSources = ({
  source_directories,
}: Pick<RepositoryRow, 'source_directories'>): FoundSource[] =>
  source_directories.map((path) => ({ path, state: 'unknown' }));

async function sourceConnection(
  { storage }: RemoteSourceNeeds,
  { source_connection_id: id, name }: JobContext['repository'],
): Promise<SshConnectionRow> {
  const [row] = id === null ? [] : await storage.find(sshConnections, { where: { id }, limit: 1 });
  if (row) return row;
  throw invalid(
    `The connection to the sources of repository ${name} was removed: set its source_connection_id to another, ` +
      'or to null for paths of this machine.',
  );
}
