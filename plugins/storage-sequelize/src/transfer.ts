import type { Entity, RowOf, StorageTransfer } from '@holdfast/plugin-api';
import { QueryTypes } from 'sequelize';
import type { Connections, Executor, SqlDialect } from './dialect.js';
import { loadStatement } from './statements.js';
import { type Table, tableOf } from './table.js';
import { encodeWritten, type SqlValue } from './values.js';

/** Every database takes that many values in one statement. */
const mostValues = 10_000;

type Run = <T>(entity: Entity, use: (connections: Connections) => Promise<T>) => Promise<T>;

/** Undefined for a dialect that can't tell the ids of its database. */
export function sqlTransfer({ ids, text }: SqlDialect, run: Run): StorageTransfer | undefined {
  if (!ids) return undefined;
  const stored = (value: SqlValue) => (typeof value === 'string' && text ? text.toStored(value) : value);
  return {
    lastId: (entity) => run(entity, ({ reader }) => ids.last(reader, entity.name)),
    reserveIds: (entity, id) =>
      run(entity, ({ transaction }) => transaction((executor) => ids.reserve(executor, entity.name, id))),
    load: (entity, rows) =>
      run(entity, ({ transaction }) =>
        transaction((executor) => loadRows(executor, { entity, rows, stored })),
      ),
  };
}

interface Load<E extends Entity> {
  entity: E;
  rows: readonly RowOf<E>[];
  stored(value: SqlValue): SqlValue;
}

async function loadRows<E extends Entity>(executor: Executor, { entity, rows, stored }: Load<E>) {
  const table = tableOf(entity);
  const atOnce = Math.max(1, Math.floor(mostValues / table.columns.size));
  for (let first = 0; first < rows.length; first += atOnce) {
    const encoded = rows.slice(first, first + atOnce).map((row) => encodeRow(table, row));
    const { sql, values } = loadStatement(table, encoded);
    const { sequelize, transaction } = executor;
    await sequelize.query(sql, { bind: values.map(stored), type: QueryTypes.RAW, transaction });
  }
}

/** All columns, the id too. @throws StoreError `invalid` */
const encodeRow = (table: Table, row: Record<string, unknown>): Map<string, SqlValue> =>
  new Map([...table.columns].map(([name, column]) => [name, encodeWritten(table, name, column, row[name])]));
