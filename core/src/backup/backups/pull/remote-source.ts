import type { FoundSource } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../../engine/jobs/index.js';
import { jobs } from '../../../engine/jobs/index.js';
import { invalid, say } from '../../../foundation/kernel/index.js';
import { surveyHost } from '../../places/index.js';
import type { BackupOutcome } from '../../repositories/index.js';
import { archives, type RepositoryRow } from '../../repositories/tables.js';
import { type HostNeeds, sourceHost, usingConnection } from '../../ssh/index.js';
import { type SshConnectionRow, sshConnections } from '../../ssh/tables.js';
import type { BackupSource } from '../backup-source.js';
import type { BackupsNeeds } from '../needs.js';
import { skippedBy } from '../skipped-file-systems.js';
import { watchedHost } from './stall-watch.js';

export type RemoteSourceNeeds = HostNeeds & Pick<BackupsNeeds, 'driver' | 'settings'>;

/**
 * Data on the host of the repository's source connection. Throws AppError `invalid` when that was deleted.
 */
export async function remoteSource(
  needs: RemoteSourceNeeds,
  run: Pick<JobContext, 'repository' | 'log'>,
): Promise<BackupSource> {
  const { driver } = needs;
  const connection = await sourceConnection(needs, run.repository);
  const pull = driver.pullArchive?.bind(driver);
  if (!pull)
    throw invalid(
      say`pull_unsupported: The backup driver can only back up local data. Clear source_connection_id.`,
    );
  let sourcesHaveFiles = true;
  let found: FoundSource[] = unknownSources(run.repository);
  const { source_directories: sources } = run.repository;
  const watch = skippedBy(needs, run.repository);
  return {
    connectionId: connection.id,
    // Only the host knows; the run asks it.
    assertSourcesExist: () => Promise.resolve(),
    async create(target, input, options) {
      const way = await chooseWay(needs, run, connection);
      const { stalledPullSeconds = 1_800 } = needs.settings;
      const host = watchedHost(
        await sourceHost(needs, connection, { ...run.repository, sudo: connection.sudo }),
        stalledPullSeconds,
      );
      const made = await watch.during(
        (search) =>
          usingConnection(needs, connection, (account) =>
            surveyHost(needs.remoteHost, { ...account, sudo: connection.sudo }, { ...search, sources }),
          ),
        () => pull(target, { ...input, host, way }, options),
      );
      sourcesHaveFiles = made.value.sourcesHaveFiles;
      found = made.value.sources ?? found;
      return made;
    },
    found: () => Promise.resolve(found),
    skipped: () => watch.found(),
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
    say`source_connection_removed: The source connection of repository ${{ repository: name }} was removed. Set source_connection_id to another connection, or to null for paths on this server.`,
  );
}

type Needs = Pick<BackupsNeeds, 'storage'>;

/**
 * Decides whether the tool may run on the host, which gives that host the passphrase and write access here.
 * Allowed only for a trusted host, and only when the repository contains nothing but archives of that host.
 */
export async function chooseWay(
  needs: Needs,
  { repository, log }: Pick<JobContext, 'repository' | 'log'>,
  connection: SshConnectionRow,
): Promise<'tar' | 'tool'> {
  if (!connection.trusted) return 'tar';
  const foreign = await archivesOfOthers(needs, repository, connection.id);
  if (foreign.length === 0) return 'tool';
  log({
    level: 'warning',
    text:
      `The tool on the host is not used although the connection is trusted: the repository also contains archives ` +
      `that may come from another program (${foreign[0]}${foreign.length > 1 ? ' and others' : ''}).`,
  });
  return 'tar';
}

async function archivesOfOthers(
  { storage }: Needs,
  { id }: RepositoryRow,
  connectionId: number,
): Promise<string[]> {
  const held = await storage.find(archives, { where: { repository_id: id } });
  const done = await storage.find(jobs, { where: { repository_id: id, kind: 'backup' } });
  const own = new Set(
    done
      .filter(({ outcome }) => (outcome as BackupOutcome | null)?.sourceConnectionId === connectionId)
      .map((job) => job.id),
  );
  return held.filter(({ job_id }) => job_id === null || !own.has(job_id)).map(({ name }) => name);
}
