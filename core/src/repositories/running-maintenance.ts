import type { StorageSession } from '../ports/storage.js';
import { jobs } from '../schema/tables.js';

/** Ids of the repositories on which a check, compact or prune job runs. */
export async function runningMaintenance(storage: StorageSession): Promise<Set<number | null>> {
  const rows = await storage.find(jobs, {
    where: { status: 'running', kind: { in: ['check', 'compact', 'prune'] } },
  });
  return new Set(rows.map((row) => row.repository_id));
}
