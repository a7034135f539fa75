/// <reference path="./pg.d.ts" />
import type { ConnectionOptions } from 'node:tls';
import pg, { type Client } from 'pg';

/** Where a database is and who asks. */
export interface PostgresServer {
  /** A name, an address, or the folder of a Unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  password: string | undefined;
  tls: boolean | ConnectionOptions;
  /** Names the database in messages, without secrets. */
  target: string;
}

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'];
const form = 'must be a connection string, for example postgres://holdfast:password@127.0.0.1:5432/holdfast';

/** What a connection string says, with libpq's meaning of `sslmode`. Throws an Error that shows nothing of it. */
export function serverOf(url: string): PostgresServer {
  const client = clientOf(url);
  const { host, port, user, database, password, ssl } = client;
  if (!user || !database || !Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(form);
  const place = host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    user,
    database,
    password: password ?? undefined,
    tls: ssl,
    target: `${database} at ${place}`,
  };
}

function clientOf(url: string): Client {
  if (!/^postgres(ql)?:\/\/\S+$/i.test(url)) throw new Error(form);
  const mode = /[?&]sslmode=([^&]*)/.exec(url)?.[1];
  if (mode !== undefined && !tlsModes.includes(mode)) {
    throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode`);
  }
  try {
    // A client that never connects: the library's own reading of the text.
    const separator = url.includes('?') ? '&' : '?';
    return new pg.Client({ connectionString: `${url}${separator}uselibpqcompat=true` });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path !== undefined) throw new Error(`names the file ${path}, which can't be read (${code})`);
    if (mode === 'verify-ca') throw new Error('needs the file of sslrootcert for sslmode=verify-ca');
    throw new Error(form);
  }
}
