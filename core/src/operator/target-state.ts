import { conflict } from '../kernel/errors.js';
import type { StorageBackend, StorageSession } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import { allEntities, instances, storageMoves } from '../schema/tables.js';

/** What belongs to a storage itself and not to the installation in it. */
const own: readonly Entity[] = [instances, storageMoves];
export const movedEntities: readonly Entity[] = allEntities.filter((entity) => !own.includes(entity));

/** `begun`: an earlier move of the same installation was cut off. `completed`: nothing is left to do. */
export type TargetState = 'empty' | 'begun' | 'completed';

/** AppError `conflict` for a storage that holds anything but this installation on its way. */
export async function stateOfTarget(target: StorageSession, installation: string): Promise<TargetState> {
  const [move] = await target.find(storageMoves, { limit: 1 });
  if (move && move.installation !== installation) {
    throw conflict('The target is the goal of a move of another installation: name an empty database.');
  }
  if (move) return move.completed_at === null ? 'begun' : 'completed';
  for (const entity of movedEntities) {
    if ((await target.find(entity, { limit: 1 })).length === 0) continue;
    throw conflict(`The target holds data already (${entity.name}): name an empty database.`);
  }
  return 'empty';
}

/** AppError `conflict` for the target of a move that was cut off: rows are missing in it. */
export async function refuseHalfMoved(storage: StorageBackend): Promise<void> {
  const [open] = await storage.find(storageMoves, { where: { completed_at: null }, limit: 1 });
  if (!open) return;
  throw conflict(
    'A move into this database has not come to its end: run "holdfast storage move" again, or use the database that it comes from.',
  );
}
