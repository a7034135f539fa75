import type { StoreErrorKind } from '@holdfast/plugin-api';
import type { PostgresServer } from './postgres-server.js';

/** By SQLSTATE. Anything else that the server says is a wrong request. */
const kinds: Record<string, StoreErrorKind> = {
  // A statement that was ended for its time, or by hand.
  '57014': 'unavailable',
  // Waited too long for the lock of another.
  '55P03': 'conflict',
  // Completion unknown: the connection broke off at the commit.
  '40003': 'unavailable',
  // A standby, or a server that was made one.
  '25006': 'unavailable',
  // Was silent too long in a transaction, which is rolled back.
  '25P03': 'conflict',
  '42501': 'unavailable',
};

/** By the first two characters: lost connection, login, no such database, resources, shutdown, disk, damage. */
const classes: Record<string, StoreErrorKind> = {
  '08': 'unavailable',
  '28': 'unavailable',
  '3D': 'unavailable',
  '40': 'conflict',
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
  if (state !== undefined) return kinds[state] ?? classes[state.slice(0, 2)];
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

/** One sentence for whoever set the database up; undefined where the general one will do. */
export function adviceFor(error: unknown, { target, user, database }: PostgresServer): string | undefined {
  switch (sqlState(error)) {
    case '28P01':
    case '28000':
      return `The database ${target} does not let the user ${user} in; correct user or password in DATABASE_URL, or pg_hba.conf.`;
    case '3D000':
      return `The server has no database ${database}; create it (CREATE DATABASE ${database} OWNER ${user}) or correct DATABASE_URL.`;
    case '42501':
      return `The user ${user} lacks rights in the database ${target}; make it the owner of the database, or grant CREATE on schema public and all rights on its tables.`;
    case '25006':
      return `The database ${target} is read-only for the user ${user}; name the primary server and a user who may write.`;
    case '53300':
      return `The database ${target} has no connection left; raise max_connections or end others.`;
    default:
      return undefined;
  }
}
