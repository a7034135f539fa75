import type { StorageSession } from '@holdfast/plugin-api';
import { type JobRow, jobs } from '../../engine/jobs/index.js';
import { isSealed, type Message, say } from '../../foundation/kernel/index.js';
import { repositories, type StoredSource } from '../repositories/tables.js';
import type { SourcesNeeds } from './needs.js';

type Needs = Pick<SourcesNeeds, 'sourceKinds'>;

interface Claiming {
  all: readonly StoredSource[];
  connectionId: number | null;
  folders?: readonly string[];
}

/** What must not be prepared by two backups at once. */
export const claimsIn = ({ sourceKinds }: Needs, { all, connectionId, folders = [] }: Claiming): string[] =>
  all.flatMap(({ kind, container, settings }) => {
    const shown = Object.entries(settings).filter(([, value]) => !isSealed(value));
    const claims = sourceKinds.find((one) => one.id === kind)?.source.claims;
    const named = claims?.(Object.fromEntries(shown) as Record<string, string>, folders) ?? [];
    return named.map((claim) => `${connectionId ?? ''}:${container ?? ''}:${kind}:${claim}`);
  });

/** The claims of a repository as it is now. */
export async function claimsOf(needs: Needs, session: StorageSession, id: number | null): Promise<string[]> {
  if (id === null) return [];
  const [row] = await session.find(repositories, { where: { id }, limit: 1 });
  if (!row) return [];
  const { sources: all, source_connection_id: connectionId, source_directories: folders } = row;
  return claimsIn(needs, { all, connectionId, folders });
}

/**
 * The running backup that prepares something that this one has to prepare, too; null when none. Call it in the
 * transaction that takes the job.
 */
export async function waitsForClaims(
  needs: Needs,
  session: StorageSession,
  job: JobRow,
): Promise<Message | null> {
  const own = await claimsOf(needs, session, job.repository_id);
  if (own.length === 0) return null;
  const running = await session.find(jobs, { where: { kind: 'backup', status: 'running' } });
  for (const other of running.filter(({ id }) => id !== job.id)) {
    const all = await claimsOf(needs, session, other.repository_id);
    const { id, repository_name: repository } = other;
    if (all.some((claim) => own.includes(claim)))
      return say`waiting_for_source: backup job ${{ job: id }} of repository ${{ repository }}, which prepares the same source`;
  }
  return null;
}
