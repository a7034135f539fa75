import type { StoreErrorKind } from '@holdfast/plugin-api';
import type { PostgresServer } from './postgres-server.js';

/** By SQLSTATE, or the first two characters of it. Anything else that the server says is a wrong request. */
const kinds: Record<string, StoreErrorKind> = {
  // Waited too long for the lock of another, or was silent too long in a transaction, which is rolled back.
  '55P03': 'conflict',
  '25P03': 'conflict',
  '40': 'conflict',
  // The connection broke off at the commit, whose end is unknown; a statement that was ended for its time, or by hand.
  '40003': 'unavailable',
  '57014': 'unavailable',
  // A standby, or a server that was made one; no rights.
  '25006': 'unavailable',
  '42501': 'unavailable',
  // Lost connection, login, no such database, resources, shutdown, disk, damage.
  '08': 'unavailable',
  '28': 'unavailable',
  '3D': 'unavailable',
  '53': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
  XX: 'unavailable',
};

/** What the client library threw, out of what sequelize made of it. */
export function causeOf(error: unknown): NodeJS.ErrnoException | undefined {
  const { original } = error as { original?: unknown };
  if (original instanceof Error) return causeOf(original) ?? original;
  return error instanceof Error ? error : undefined;
}

const sqlState = (error: unknown): string | undefined => {
  const code = causeOf(error)?.code;
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

export function errorKind(error: unknown): StoreErrorKind | undefined {
  const state = sqlState(error);
  if (state !== undefined) return kinds[state] ?? kinds[state.slice(0, 2)];
  // Of the client library or the network: a broken connection, a time-out.
  const isOfClient = 'original' in (error as object) || isClosing(error);
  return isOfClient ? 'unavailable' : undefined;
}

const isClosing = (error: unknown) =>
  error instanceof Error && /connection manager was closed|pool is draining/.test(error.message);

/** The whole statement may be tried again: it met another one and nothing of it stays. */
export const isCollision = (error: unknown) => ['40001', '40P01'].includes(sqlState(error) ?? '');

/** Nobody listens there, or it still starts: later it may. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? errorKind(error) === 'unavailable' : ['57P03', '53300'].includes(state);
}

export const adviceReadOnly = ({ target, user }: PostgresServer) =>
  `The database ${target} is read-only for the user ${user}; name the primary server and a user who may write.`;

const adviceLogin = ({ target, user }: PostgresServer) =>
  `The database ${target} does not let the user ${user} in; correct user or password in DATABASE_URL, or pg_hba.conf.`;

const advices: Record<string, (server: PostgresServer) => string> = {
  '28P01': adviceLogin,
  '28000': adviceLogin,
  '3D000': ({ database, user }) =>
    `The server has no database ${database}; create it (CREATE DATABASE ${database} OWNER ${user}) or correct DATABASE_URL.`,
  '42501': ({ target, user }) =>
    `The user ${user} lacks rights in the database ${target}; make it the owner of the database, or grant CREATE on schema public and all rights on its tables.`,
  '25006': adviceReadOnly,
  '53300': ({ target }) =>
    `The database ${target} has no connection left; raise max_connections or end others.`,
};

/** One sentence for whoever set the database up; undefined where the general one will do. */
export const adviceFor = (error: unknown, server: PostgresServer): string | undefined =>
  advices[sqlState(error) ?? '']?.(server);
