import type { StorageBackend } from '@holdfast/plugin-api';
import { jobs } from '../../engine/jobs/index.js';
import type { DrillsNeeds } from './needs.js';
import { removeOldScratch } from './scratch.fs.js';
import { drillResults, drills } from './tables.js';

/** Longer than a year, so that a yearly report finds all of it. Milliseconds. */
export const evidenceKeptMs = 400 * 86_400_000;
const atOnce = 100;

/** Removes evidence that ended before, results first, in small batches. */
export async function removeOldEvidence(
  storage: StorageBackend,
  before: number,
  going: () => boolean,
): Promise<void> {
  await inBatches(going, async () => {
    const rows = await storage.find(drillResults, { where: { at: { lt: before } }, limit: atOnce });
    await storage.remove(drillResults, { id: { in: rows.map(({ id }) => id) } });
    return rows.length;
  });
  await inBatches(going, async () => {
    const rows = await storage.find(drills, { where: { ended_at: { lt: before } }, limit: atOnce });
    await storage.remove(drills, { id: { in: rows.map(({ id }) => id) } });
    return rows.length;
  });
}

async function inBatches(going: () => boolean, removeSome: () => Promise<number>): Promise<void> {
  while (going()) if ((await removeSome()) < atOnce) return;
}

/** Removes scratch folders that killed processes left behind; at any time. */
export const sweepDrillScratch = ({ storage, settings }: DrillsNeeds) =>
  removeOldScratch(settings.dataDirectory, async (id) => {
    const where = { id, kind: 'drill' as const, status: 'running' as const };
    return (await storage.find(jobs, { where, limit: 1 })).length > 0;
  });
