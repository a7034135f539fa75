import { type Entity, StoreError, type StoreErrorKind } from '@holdfast/plugin-api';
import { BaseError, ConnectionError, TimeoutError, UniqueConstraintError } from 'sequelize';
import type { SqlDialect } from './dialect.js';
import { indexName } from './schema-changes.js';

const messages: Record<Exclude<StoreErrorKind, 'unique'>, string> = {
  conflict: 'met another change; try again',
  unavailable: "can't be reached or written now",
  invalid: 'refused the request',
};

/** The StoreError for what sequelize or its client threw. What is none of theirs comes back as it is. */
export function storeErrorOf(error: unknown, dialect: SqlDialect, entity?: Entity): unknown {
  if (error instanceof UniqueConstraintError) return uniqueError(error, entity);
  const kind = dialect.errorKind(error) ?? sequelizeKind(error);
  if (!kind || kind === 'unique') return error;
  const message = dialect.adviceFor?.(error) ?? `The database ${dialect.target} ${messages[kind]}.`;
  return new StoreError(kind, message, { cause: withoutValues(error) });
}

function sequelizeKind(error: unknown): StoreErrorKind | undefined {
  if (error instanceof ConnectionError) return 'unavailable';
  if (error instanceof TimeoutError) return 'conflict';
  return error instanceof BaseError ? 'invalid' : undefined;
}

/** Its message names columns only: the values may be secret. */
function uniqueError(error: UniqueConstraintError, entity: Entity | undefined): StoreError {
  // An array of column names for SQLite, an object by column name for the others.
  const given = error.fields ?? {};
  const fields = Array.isArray(given) ? (given as string[]) : Object.keys(given);
  // Where the database names it: sequelize reads the columns out of a sentence that also holds the values. Where it
  // can't, the name of the index stands for a column.
  const { constraint } = error.original as { constraint?: string };
  const names = constraint === undefined ? fields : [constraint];
  const declared = entity?.unique.find(
    (columns) =>
      names.includes(indexName(entity.name, columns, true)) ||
      (constraint === undefined &&
        columns.length === fields.length &&
        columns.every((column) => fields.includes(column))),
  );
  const key = (declared ?? fields).join(',');
  return new StoreError('unique', `The key ${key} of ${entity?.name ?? 'a row'} is taken.`, {
    key,
    cause: withoutValues(error),
  });
}

/** Errors of sequelize and its clients carry the values of the statement and of rows, and are logged. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const { sql, original } = error as { sql?: string; original?: { code?: string; message?: string } };
  const lean = new Error(original?.message ?? error.message);
  lean.stack = error.stack;
  return Object.assign(lean, { name: error.name, code: original?.code, sql });
}
