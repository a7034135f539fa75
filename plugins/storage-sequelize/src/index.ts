/** A storage for any SQL database that sequelize speaks to: a plugin adds a dialect and its configuration. */

/** For dialects: of the same copy as the storage's, whose error classes are compared. */
export {
  DatabaseError,
  DataTypes,
  QueryTypes,
  Sequelize,
  Transaction,
  UniqueConstraintError,
} from 'sequelize';
export type { Connections, Executor, SqlDialect } from './dialect.js';
export { runOn } from './session.js';
export { type SqlStorageOptions, sqlStorage } from './sql-storage.js';
export { Turns } from './turns.js';
