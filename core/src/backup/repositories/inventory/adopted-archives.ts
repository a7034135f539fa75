import type { StorageSession } from '@holdfast/plugin-api';
import { type ArchiveRow, archives } from '../tables.js';

/**
 * Puts archives under the retention of a schedule. The rows go when the tool no longer lists the archives, so an
 * adoption never outlives its archive, nor passes to another one of the same name.
 */
export async function adoptArchives(
  session: StorageSession,
  rows: readonly ArchiveRow[],
  { scheduleId, at }: { scheduleId: number; at: number },
): Promise<void> {
  for (const { id, schedule_id, adopted_at } of rows) {
    // An adoption by a schedule that is gone tells nothing of who made the archive.
    const former = adopted_at === null ? { former_schedule_id: schedule_id } : {};
    await session.update(archives, { id }, { ...former, schedule_id: scheduleId, adopted_at: at });
  }
}

/** Undoes the adoption of archives. */
export async function releaseArchives(session: StorageSession, rows: readonly ArchiveRow[]): Promise<void> {
  for (const { id, former_schedule_id } of rows) {
    const released = { schedule_id: former_schedule_id, former_schedule_id: null, adopted_at: null };
    await session.update(archives, { id }, released);
  }
}

/** Undoes all adoptions by a schedule. Call it in the transaction that removes the schedule. */
export async function releaseAllOf(session: StorageSession, scheduleId: number): Promise<void> {
  const where = { schedule_id: scheduleId, adopted_at: { not: null } };
  await releaseArchives(session, await session.find(archives, { where }));
}
