import { type Entity, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { checkRow, matches, sortRows, type Values } from './memory-values.js';

export interface Table {
  nextId: number;
  rows: Map<number, Values>;
}
export type Tables = Map<string, Table>;

const tableOf = (tables: Tables, entity: Entity): Table => {
  const known = tables.get(entity.name);
  if (known) return known;
  const table: Table = { nextId: 1, rows: new Map() };
  tables.set(entity.name, table);
  return table;
};

function checkUnique(table: Table, entity: Entity, candidate: Values) {
  const keys = [['id'], ...entity.unique];
  for (const key of keys) {
    if (key.some((column) => candidate[column] === null)) continue;
    for (const row of table.rows.values()) {
      if (row.id !== candidate.id && key.every((column) => row[column] === candidate[column])) {
        throw new StoreError('unique', `${entity.name}: ${key.join(',')} is taken`, { key: key.join(',') });
      }
    }
  }
}

const select = (table: Table, entity: Entity, where: object | undefined) =>
  [...table.rows.values()].filter((row) => matches(entity, row, where ?? {}));

type MeasureLike = { count?: true; sum?: string; max?: string; min?: string };

function measure(rows: Values[], kind: MeasureLike): number | null {
  if (kind.count) return rows.length;
  const column = kind.sum ?? kind.max ?? kind.min ?? '';
  const values = rows.map((row) => row[column]).filter((value): value is number => typeof value === 'number');
  if (values.length === 0) return null;
  if (kind.sum) return values.reduce((sum, value) => sum + value, 0);
  return kind.max ? Math.max(...values) : Math.min(...values);
}

/** Reads and writes on given tables; `guard` runs before each. The casts: rows are untyped inside. */
export function makeMemorySession(tables: Tables, guard: () => void): StorageSession {
  return {
    async find(entity, query = {}) {
      guard();
      const rows = sortRows(entity, select(tableOf(tables, entity), entity, query.where), query.order ?? []);
      const from = query.offset ?? 0;
      return rows
        .slice(from, from + (query.limit ?? rows.length))
        .map((row) => structuredClone(row)) as never;
    },

    async insert(entity, row) {
      guard();
      const table = tableOf(tables, entity);
      const stored = checkRow(entity, row, { complete: true });
      stored.id ??= table.nextId;
      checkUnique(table, entity, stored);
      table.nextId = Math.max(table.nextId, (stored.id as number) + 1);
      table.rows.set(stored.id as number, stored);
      return structuredClone(stored) as never;
    },

    async update(entity, where, patch) {
      guard();
      const table = tableOf(tables, entity);
      const changes = checkRow(entity, patch, { complete: false });
      const found = select(table, entity, where);
      for (const row of found) {
        const next = { ...row, ...structuredClone(changes) };
        checkUnique(table, entity, next);
        table.rows.set(row.id as number, next);
      }
      return found.length;
    },

    async remove(entity, where) {
      guard();
      const table = tableOf(tables, entity);
      const found = select(table, entity, where);
      for (const row of found) table.rows.delete(row.id as number);
      return found.length;
    },

    async aggregate(entity, query) {
      guard();
      const groupBy: readonly string[] = query.groupBy ?? [];
      const groups = new Map<string, Values[]>(groupBy.length === 0 ? [['[]', []]] : []);
      for (const row of select(tableOf(tables, entity), entity, query.where)) {
        const key = JSON.stringify(groupBy.map((column) => row[column]));
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      return [...groups].map(([key, rows]) => ({
        ...Object.fromEntries((JSON.parse(key) as unknown[]).map((value, at) => [groupBy[at], value])),
        ...Object.fromEntries(
          Object.entries(query.measures).map(([name, kind]) => [name, measure(rows, kind as MeasureLike)]),
        ),
      })) as never;
    },
  };
}
