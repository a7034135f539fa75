import type { StorageSession } from '@holdfast/plugin-api';
import { movedLocation } from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import { repositories } from './tables.js';

/**
 * Updates the locations of repositories when the address of their connection changes. Call it in the transaction of
 * that change. Throws StoreError `unique` when another repository has the new location.
 */
export async function followConnection(session: StorageSession, after: SshConnectionRow): Promise<void> {
  for (const row of await session.find(repositories, { where: { connection_id: after.id } })) {
    const path = movedLocation(after, row.path);
    if (path === row.path) continue;
    const updated_at = Math.max(after.updated_at, row.updated_at + 1);
    await session.update(repositories, { id: row.id }, { path, updated_at, inventory_at: null });
  }
}

/** The id of a source connection stays: without it, the next backup would save paths of this machine. */
export async function forgetConnection(session: StorageSession, id: number): Promise<void> {
  await session.update(repositories, { connection_id: id }, { connection_id: null });
}
