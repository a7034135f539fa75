import { createHash } from 'node:crypto';
import type {
  Clock,
  Entity,
  Query,
  RowOf,
  StorageBackend,
  StorageSession,
  StorageTransfer,
} from '@holdfast/plugin-api';
import { instances } from '../../engine/jobs/index.js';
import { conflict, invalid, say, settings } from '../../foundation/kernel/index.js';
import { allEntities } from '../schema/tables.js';
import { storageMoves } from './tables.js';

export interface MoveProgress {
  entity: string;
  phase: 'copied' | 'verified';
  rows: number;
}

export interface StorageMove {
  /** Both are started, on the newest schema, and not used by others. */
  source: StorageBackend;
  target: StorageBackend;
  clock: Clock;
  onProgress(progress: MoveProgress): void;
  /** Rejects when another process uses the source or the target. */
  refuseUsers(): Promise<void>;
}

export interface MovedEntity extends EntityDigest {
  entity: string;
}

/**
 * Copies all rows with their ids and verifies the copy. The source is only read. The next call resumes an
 * interrupted move: rows are copied in id order and in whole pages, so only rows above the highest id are
 * missing. Tables that differ nevertheless are copied again. `already`: an earlier move was completed.
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
  if (wrong.length > 0) throw sourceChanged(wrong);
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
  throw invalid(
    source.transfer
      ? say`storage_target_without_transfer: The storage plugin can't move data into the target: it lacks "transfer".`
      : say`storage_source_without_transfer: The storage plugin can't move data out of the source: it lacks "transfer".`,
  );
}

async function installationOf(source: StorageBackend): Promise<string> {
  const [row] = await source.find(settings, { where: { key: 'installation' }, limit: 1 });
  if (row) return String(row.value);
  throw conflict(
    say`storage_source_empty: The source contains no installation: Holdfast has never run on it. Check its address.`,
  );
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

const sourceChanged = (tables: string[]) =>
  conflict(
    say`storage_source_changed: The copy differs from the source (${{ tables }}): the source changed during the move. Stop everything that uses it and run the command again.`,
  );

interface EntityDigest {
  rows: number;
  /** SHA-256 over all rows in the order of their ids, in hexadecimal. */
  hash: string;
}

/**
 * Equal for equal rows in any storage: computed from values as the port returns them, with JSON keys sorted.
 */
async function digestOf(session: StorageSession, entity: Entity): Promise<EntityDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(session, entity)) {
    rows += page.length;
    for (const row of page) hash.update(`${canonical(row)}\n`);
  }
  return { rows, hash: hash.digest('hex') };
}

const canonical = (row: unknown): string => JSON.stringify(row, (_key, value) => ordered(value));

function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const pageRows = 500;

/** Pages of the rows with ids above `after`, in id order. */
export async function* pagesOf<E extends Entity>(
  session: StorageSession,
  entity: E,
  after = 0,
): AsyncGenerator<RowOf<E>[]> {
  for (let last = after; ; ) {
    const query = { where: { id: { gt: last } }, order: [['id', 'asc']], limit: pageRows };
    // Every entity of the product has an `id`, which the type of entities in general does not say.
    const page = await session.find(entity, query as unknown as Query<E>);
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    last = idOf(page.at(-1));
  }
}

const idOf = (row: unknown): number => (row as { id: number }).id;

/** Tables that belong to the storage itself, not to the installation in it. */
const own: readonly Entity[] = [instances, storageMoves];
const movedEntities: readonly Entity[] = allEntities.filter((entity) => !own.includes(entity));

/** `begun`: an earlier move of the same installation was interrupted. `completed`: nothing is left to do. */
type TargetState = 'empty' | 'begun' | 'completed';

/**
 * Throws AppError `conflict` for a storage that contains anything other than a partial copy of this
 * installation.
 */
async function stateOfTarget(target: StorageSession, installation: string): Promise<TargetState> {
  const [move] = await target.find(storageMoves, { limit: 1 });
  if (move && move.installation !== installation) {
    throw conflict(
      say`storage_target_of_other_move: The target belongs to a move of another installation: use an empty database.`,
    );
  }
  if (move) return move.completed_at === null ? 'begun' : 'completed';
  for (const entity of movedEntities) {
    if ((await target.find(entity, { limit: 1 })).length === 0) continue;
    throw conflict(
      say`storage_target_not_empty: The target already contains data (${{ table: entity.name }}): use an empty database.`,
    );
  }
  return 'empty';
}

/** Throws AppError `conflict` for the target of an interrupted move, because rows are missing. */
export async function refuseHalfMoved(storage: StorageBackend): Promise<void> {
  const [open] = await storage.find(storageMoves, { where: { completed_at: null }, limit: 1 });
  if (!open) return;
  throw conflict(
    say`storage_move_incomplete: A move into this database is incomplete: run "holdfast storage move" again, or use the source database.`,
  );
}
