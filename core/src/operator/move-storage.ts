import { AppError, conflict } from '../kernel/errors.js';
import type { Clock } from '../ports/services.js';
import type { StorageBackend, StorageTransfer } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import { settings, storageMoves } from '../schema/tables.js';
import { digestOf, type EntityDigest } from './digest.js';
import { pagesOf } from './pages.js';
import { movedEntities, stateOfTarget } from './target-state.js';

export interface MoveProgress {
  entity: string;
  phase: 'copied' | 'verified';
  rows: number;
}

export interface StorageMove {
  /** Both started, of the newest schema, and used by nobody else. */
  source: StorageBackend;
  target: StorageBackend;
  clock: Clock;
  onProgress(progress: MoveProgress): void;
  /** Rejects when somebody else uses the source or the target. */
  refuseUsers(): Promise<void>;
}

export interface MovedEntity extends EntityDigest {
  entity: string;
}

/**
 * Copies all rows with their ids and compares what arrived. The source is only read. After an end at any point
 * the next call goes on: rows come in the order of their ids, each page whole, so what is missing is what comes
 * after the highest id; what differs all the same is taken anew. `already`: an earlier move had come to its end.
 */
export async function moveStorage(move: StorageMove): Promise<{ entities: MovedEntity[]; already: boolean }> {
  const { source, target, clock } = move;
  const transfers = transfersOf(move);
  await move.refuseUsers();
  const installation = await installationOf(source);
  const state = await stateOfTarget(target, installation);
  if (state === 'completed') return { entities: [], already: true };
  if (state === 'empty') await target.insert(storageMoves, { installation, begun_at: clock.now() });
  for (const entity of movedEntities) await copyMissing(move, transfers, entity);
  let entities = await compareAll(move);
  const differing = entities.filter(({ same }) => !same);
  for (const { entity } of differing) {
    await target.remove(entity, {});
    await copyMissing(move, transfers, entity);
  }
  if (differing.length > 0) entities = await compareAll(move);
  await move.refuseUsers();
  const wrong = entities.filter(({ same }) => !same).map(({ entity }) => entity.name);
  if (wrong.length > 0) throw changedMeanwhile(wrong);
  for (const { entity, rows } of entities) move.onProgress({ entity: entity.name, phase: 'verified', rows });
  await target.update(storageMoves, { installation }, { completed_at: clock.now() });
  return {
    entities: entities.map(({ entity, rows, hash }) => ({ entity: entity.name, rows, hash })),
    already: false,
  };
}

interface Transfers {
  from: StorageTransfer;
  to: StorageTransfer;
}

function transfersOf({ source, target }: StorageMove): Transfers {
  if (source.transfer && target.transfer) return { from: source.transfer, to: target.transfer };
  const which = source.transfer ? 'into the target' : 'out of the source';
  throw new AppError('invalid', `The storage plugin can't move data ${which}: it lacks "transfer".`);
}

async function installationOf(source: StorageBackend): Promise<string> {
  const [row] = await source.find(settings, { where: { key: 'installation' }, limit: 1 });
  if (row) return String(row.value);
  throw conflict('The source holds no installation: no service has ever run on it. Check its address.');
}

async function copyMissing(move: StorageMove, { from, to }: Transfers, entity: Entity): Promise<void> {
  const { source, target } = move;
  const [highest] = await target.aggregate(entity, { measures: { id: { max: 'id' } } });
  let rows = 0;
  for await (const page of pagesOf(source, entity, highest?.id ?? 0)) {
    await to.load(entity, page);
    rows += page.length;
    move.onProgress({ entity: entity.name, phase: 'copied', rows });
  }
  await to.reserveIds(entity, await from.lastId(entity));
}

interface Compared extends EntityDigest {
  entity: Entity;
  same: boolean;
}

async function compareAll({ source, target }: StorageMove): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const entity of movedEntities) {
    const [before, after] = await Promise.all([digestOf(source, entity), digestOf(target, entity)]);
    compared.push({ entity, ...before, same: before.rows === after.rows && before.hash === after.hash });
  }
  return compared;
}

const changedMeanwhile = (names: string[]) =>
  conflict(
    `What arrived differs from the source (${names.join(', ')}): the source was changed during the move. ` +
      'Stop what uses it and run the command again.',
  );
