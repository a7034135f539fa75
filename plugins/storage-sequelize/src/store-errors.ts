import { type Entity, StoreError, type StoreErrorKind } from '@holdfast/core/plugin';
import { BaseError, ConnectionError, TimeoutError, UniqueConstraintError } from 'sequelize';
import type { SqlDialect } from './dialect.js';

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
  return new StoreError(kind, `The database ${dialect.target} ${messages[kind]}.`, { cause: error });
}

function sequelizeKind(error: unknown): StoreErrorKind | undefined {
  if (error instanceof ConnectionError) return 'unavailable';
  if (error instanceof TimeoutError) return 'conflict';
  return error instanceof BaseError ? 'invalid' : undefined;
}

/** Its message names columns only: the values may be secret. */
function uniqueError(error: UniqueConstraintError, entity: Entity | undefined): StoreError {
  // An array of column names for SQLite, an object by column name for the others.
  const fields = Array.isArray(error.fields) ? (error.fields as string[]) : Object.keys(error.fields);
  const declared = entity?.unique.find(
    (columns) => columns.length === fields.length && columns.every((column) => fields.includes(column)),
  );
  const key = (declared ?? fields).join(',');
  return new StoreError('unique', `The key ${key} of ${entity?.name ?? 'a row'} is taken.`, {
    key,
    cause: error,
  });
}
