import type { RestoreManifest } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { findJob, isTerminal } from '../../engine/jobs/index.js';
import type { RestoreNeeds } from './needs.js';
import type { ManifestEntry } from './restore.rules.js';
import { manifestEntryView } from './restore-view.js';
import { restoreManifests } from './tables.js';

const perRow = 1_000;

export async function writeManifest(
  storage: StorageSession,
  jobId: number,
  entries: readonly ManifestEntry[],
) {
  for (let position = 0; position < entries.length; position += perRow) {
    const piece = entries.slice(position, position + perRow);
    await storage.insert(restoreManifests, { job_id: jobId, position, entries: piece });
  }
}

export const removeManifest = (storage: StorageSession, jobId: number): Promise<number> =>
  storage.remove(restoreManifests, { job_id: jobId });

/**
 * The result of each path. Empty until the restore ends, and if it left the target unchanged. Throws AppError
 * `not_found`.
 */
export async function readManifest(
  { storage }: RestoreNeeds,
  jobId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<RestoreManifest> {
  const job = await findJob(storage, 'restore', jobId);
  const answer = { success: true as const, job_id: jobId, status: job.status };
  if (!isTerminal(job.status)) return { ...answer, entries: [], total: 0, has_more: false };
  const first = Math.floor(offset / perRow) * perRow;
  const where = { job_id: jobId, position: { gte: first, lt: offset + limit } };
  const rows = await storage.find(restoreManifests, { where, order: [['position', 'asc']] });
  const entries = rows.flatMap((row) => row.entries).slice(offset - first, offset - first + limit);
  const total = await countOf(storage, jobId);
  return {
    ...answer,
    entries: entries.map(manifestEntryView),
    total,
    has_more: offset + entries.length < total,
  };
}

async function countOf(storage: StorageSession, jobId: number): Promise<number> {
  const [last] = await storage.find(restoreManifests, {
    where: { job_id: jobId },
    order: [['position', 'desc']],
    limit: 1,
  });
  return last ? last.position + last.entries.length : 0;
}
