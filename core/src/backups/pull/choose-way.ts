import type { JobContext } from '../../jobs/job-contract.js';
import { archives, jobs, type RepositoryRow, type SshConnectionRow } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';
import type { BackupOutcome } from '../backup-job.js';

type Needs = Pick<Dependencies, 'storage'>;

/**
 * Whether the tool may run on the host, which then has the passphrase and writes here: only on a trusted host, and
 * only when the repository holds nothing that is not that host's own.
 */
export async function chooseWay(
  needs: Needs,
  { repository, log }: Pick<JobContext, 'repository' | 'log'>,
  connection: SshConnectionRow,
): Promise<'tar' | 'tool'> {
  if (!connection.trusted) return 'tar';
  const strangers = await archivesOfOthers(needs, repository, connection.id);
  if (strangers.length === 0) return 'tool';
  log({
    level: 'warning',
    text:
      `The tool on the host is not used, although the connection is trusted: the repository also holds archives that ` +
      `are not known to come from there (${strangers[0]}${strangers.length > 1 ? ' and others' : ''}).`,
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
