import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Entity, type StorageBackend, StoreError } from '@holdfast/plugin-api';

type Row = Record<string, unknown>;
type Order = readonly (readonly [string, string])[];

export interface PlannedStorage {
  storage: StorageBackend;
  /** Does the work, or nothing of it if it throws. Between two works others get their turn. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The same storage, but what is written stays in memory: work can be tried without a transaction that holds up others.
 * Tables are read once, when they are written to.
 */
export function plannedStorage(base: StorageBackend): PlannedStorage {
  const tables = new Map<string, Promise<Map<unknown, Row>>>();
  let undo: (() => void)[] = [];
  /** Above those of any row. */
  let lastId = 2 ** 40;
  const tableOf = (entity: Entity) => {
    const known =
      tables.get(entity.name) ??
      base.find(entity).then((rows) => new Map((rows as Row[]).map((row) => [row.id, row])));
    tables.set(entity.name, known);
    return known;
  };
  const put = (table: Map<unknown, Row>, id: unknown, row: Row | undefined) => {
    const before = table.get(id);
    undo.push(() => (before ? table.set(id, before) : table.delete(id)));
    if (row) table.set(id, row);
    else table.delete(id);
  };
  const store = (entity: Entity, table: Map<unknown, Row>, row: Row) => {
    refuseTaken(entity, table, row);
    put(table, row.id, row);
    return row;
  };
  const storage = {
    async find(
      entity: Entity,
      query: { where?: object; order?: Order; limit?: number; offset?: number } = {},
    ) {
      if (!tables.has(entity.name)) return base.find(entity, query as object);
      const rows = [...(await tableOf(entity)).values()].filter(fits(query.where));
      const { order = [], offset = 0, limit = rows.length } = query;
      return rows
        .sort(by(order))
        .slice(offset, offset + limit)
        .map((row) => ({ ...row }));
    },
    async aggregate(
      entity: Entity,
      query: { where?: object; groupBy?: string[]; measures: Record<string, Row> },
    ) {
      if (!tables.has(entity.name)) return base.aggregate(entity, query as never);
      const { where, groupBy = [], measures } = query;
      const groups = new Map<string, Row[]>(groupBy.length === 0 ? [['[]', []]] : []);
      for (const row of (await storage.find(entity, { ...(where && { where }) })) as Row[]) {
        const key = JSON.stringify(groupBy.map((name) => row[name]));
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      return [...groups.values()].map((rows) => ({
        ...Object.fromEntries(groupBy.map((name) => [name, rows[0]?.[name]])),
        ...Object.fromEntries(Object.entries(measures).map(([name, each]) => [name, measured(rows, each)])),
      }));
    },
    async insert(entity: Entity, given: Row) {
      const table = await tableOf(entity);
      const defaults = Object.entries(entity.columns).map(([name, column]) => [name, column.default ?? null]);
      return { ...store(entity, table, { ...Object.fromEntries(defaults), ...given, id: ++lastId }) };
    },
    async update(entity: Entity, where: object, patch: Row) {
      const table = await tableOf(entity);
      const found = [...table.values()].filter(fits(where));
      for (const row of found) store(entity, table, { ...row, ...patch });
      return found.length;
    },
    async remove(entity: Entity, where: object) {
      const table = await tableOf(entity);
      const found = [...table.values()].filter(fits(where));
      for (const { id } of found) put(table, id, undefined);
      return found.length;
    },
    transaction: (work: (session: unknown) => Promise<unknown>) => work(storage),
  };
  return {
    storage: storage as unknown as StorageBackend,
    async attempt(work) {
      undo = [];
      await nextTurn();
      try {
        return await work();
      } catch (error) {
        for (const step of undo.reverse()) step();
        throw error;
      }
    },
  };
}

function refuseTaken(entity: Entity, table: Map<unknown, Row>, row: Row): void {
  for (const key of entity.unique) {
    if (key.some((name) => row[name] === null)) continue;
    for (const other of table.values())
      if (other.id !== row.id && key.every((name) => other[name] === row[name]))
        throw new StoreError('unique', `${entity.name}: ${key.join(',')} is taken`, { key: key.join(',') });
  }
}

const fits =
  (where: object = {}) =>
  (row: Row): boolean =>
    Object.entries(where).every(
      ([name, condition]) => condition === undefined || holds(row[name], condition),
    );

function holds(value: unknown, condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  const { in: some, not, lt, lte, gt, gte } = condition as Record<string, unknown>;
  if (some) return (some as unknown[]).includes(value);
  if (not !== undefined) return value !== not;
  const ends = [lt, lte, gt, gte].map((end) => (end === undefined ? null : compare(value, end)));
  const [below = null, upTo = null, above = null, from = null] = ends;
  return value !== null && (below ?? -1) < 0 && (upTo ?? 0) <= 0 && (above ?? 1) > 0 && (from ?? 0) >= 0;
}

const by =
  (order: Order) =>
  (a: Row, b: Row): number => {
    for (const [name, direction] of [...order, ['id', order.at(-1)?.[1] ?? 'asc'] as const]) {
      const sign = compare(a[name], b[name]);
      if (sign !== 0) return direction === 'asc' ? sign : -sign;
    }
    return 0;
  };

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  return a === null || (b !== null && (a as number) < (b as number)) ? -1 : 1;
}

function measured(rows: readonly Row[], measure: Row): number | null {
  if (measure.count) return rows.length;
  const values = rows.map((row) => row[String(measure.sum ?? measure.max ?? measure.min)]) as (
    | number
    | null
  )[];
  const numbers = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (measure.sum) return numbers.length > 0 ? numbers.reduce((sum, value) => sum + value, 0) : null;
  return numbers.at(measure.max ? -1 : 0) ?? null;
}
