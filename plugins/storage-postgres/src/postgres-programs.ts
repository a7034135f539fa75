import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StoreError } from '@holdfast/plugin-api';
import type { PostgresServer } from './postgres-server.js';

type Program = 'pg_dump' | 'pg_restore';

/** Where Debian keeps the programs of every installed version. */
const versions = '/usr/lib/postgresql';

/** Which the client of the service trusts without `sslrootcert`. */
const systemAuthorities = '/etc/ssl/certs/ca-certificates.crt';

/** @throws StoreError `invalid` unless there is one of the server's version or a newer one */
export async function programOf(name: Program, server: number, folder = versions): Promise<string> {
  const places = (await readdir(folder).catch(() => [])).map((version) => join(folder, version, 'bin', name));
  const found = await Promise.all(
    [name, ...places].map(async (path) => ({ path, major: await majorOf(path) })),
  );
  const fitting = found.find(({ major }) => major >= server);
  if (fitting) return fitting.path;
  const newest = Math.max(...found.map(({ major }) => major));
  throw new StoreError(
    'invalid',
    newest === 0
      ? `${name} was not found: install the client programs of PostgreSQL ${server} (postgresql-client).`
      : `${name} is of PostgreSQL ${newest}, but the server is of ${server}: install the client programs of version ${server}.`,
  );
}

/** 0 without the program. */
async function majorOf(program: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 10_000 });
    return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** @throws StoreError `unavailable` with the last line of the program, or the reason of `signal` */
export async function runProgram(
  server: PostgresServer,
  program: string,
  { parameters, signal }: { parameters: string[]; signal?: AbortSignal | undefined },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-pg-'));
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C', ...(await variablesOf(server, folder)) };
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000);
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return;
    const reason = said.split('\n').find((line) => /error|fatal/i.test(line)) ?? `exit code ${code}`;
    throw new StoreError('unavailable', `The database ${server.target}: ${reason.trim()}.`);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The password goes into a file of this user: every user of the machine sees arguments, and children inherit variables. */
async function variablesOf(server: PostgresServer, folder: string): Promise<Record<string, string>> {
  const { host, port, user, database, password, tls } = server;
  const variables: Record<string, string> = {
    PGHOST: host,
    PGPORT: `${port}`,
    PGUSER: user,
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: '10',
    PGSSLMODE: tls === false ? 'disable' : 'require',
  };
  if (password !== undefined) {
    variables.PGPASSFILE = join(folder, 'password');
    const escaped = password.replace(/[\\:]/g, '\\$&');
    await writeFile(variables.PGPASSFILE, `*:*:*:*:${escaped}\n`, { mode: 0o600 });
  }
  if (tls === false) return variables;
  const { ca, cert, key, rejectUnauthorized, checkServerIdentity } = tls === true ? {} : tls;
  for (const [name, content] of Object.entries({ PGSSLROOTCERT: ca, PGSSLCERT: cert, PGSSLKEY: key })) {
    if (typeof content !== 'string' && !Buffer.isBuffer(content)) continue;
    variables[name] = join(folder, name);
    await writeFile(join(folder, name), content, { mode: 0o600 });
  }
  if (rejectUnauthorized === false) return variables;
  variables.PGSSLMODE = checkServerIdentity === undefined ? 'verify-full' : 'verify-ca';
  variables.PGSSLROOTCERT ??= systemAuthorities;
  return variables;
}
