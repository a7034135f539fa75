import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { databasesAmong, type SourceContext, type SourceSettings } from '@holdfast/plugin-api/source';
import type { MongoClient, MongoClientOptions } from 'mongodb';
import { BadDump } from './archive.js';

type Context = Pick<SourceContext, 'host' | 'signal'>;

export interface Server {
  client: MongoClient;
  close(): Promise<void>;
}

/** Databases of the server itself. */
export const own = ['admin', 'config', 'local'];

/** `place`: `address:port`, or the path of a socket, which ends with `.sock`. */
export async function clientOf(
  place: string,
  { signal, waitMs = 10_000, ...options }: MongoClientOptions & { signal: AbortSignal; waitMs?: number },
): Promise<Server> {
  signal.throwIfAborted();
  // Loaded on first use: it has many files.
  const { MongoClient } = await import('mongodb');
  const name = place.startsWith('/') ? encodeURIComponent(place) : place;
  const client = new MongoClient(`mongodb://${name}/`, {
    ...{ appName: 'holdfast', directConnection: true, maxPoolSize: 2, serverMonitoringMode: 'poll' },
    ...{ serverSelectionTimeoutMS: waitMs, connectTimeoutMS: waitMs, retryReads: false, retryWrites: false },
    ...options,
  });
  const close = () => client.close();
  const onAbort = () => void close().catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    client,
    close: async () => {
      signal.removeEventListener('abort', onAbort);
      await close();
    },
  };
}

/** Close it at the end, also after a failure. */
export async function openServer(
  settings: SourceSettings,
  { host, signal }: Context,
  waitMs?: number,
): Promise<Server> {
  const {
    host: name = '127.0.0.1',
    port = '27017',
    user: username,
    auth_database: authSource = 'admin',
  } = settings;
  const address = `${name}:${port}`;
  const password = settings.password ?? (await passwordFrom(settings.password_from, { host, signal }));
  const options = { signal, waitMs, ...(username && { auth: { username, password }, authSource }) };
  // What can't be reached is said here at once.
  (await host.connect(address)).destroy();
  if (host.isLocal) return clientOf(isIPv6(name) ? `[${name}]:${port}` : address, options);
  const proxy = await proxyTo(host, address);
  try {
    const { client, close } = await clientOf(proxy.path, options);
    return { client, close: () => close().finally(proxy.close) };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function passwordFrom(from: string | undefined, { host }: Context): Promise<string | undefined> {
  if (from === undefined) return undefined;
  const script = 'case $1 in /*) cat "$1";; *) printenv "$1";; esac';
  const { code, stdout } = await host.run({ argv: ['sh', '-c', script, 'sh', from] });
  if (code !== 0) throw new Error(`${host.name} has no password in ${from}: correct the name or the path.`);
  return stdout.replace(/\r?\n$/, '');
}

/** The driver only connects by itself: a socket that only this user can reach leads to the server. */
async function proxyTo(host: Context['host'], address: string) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mongodb-'));
  const path = join(folder, 'mongodb.sock');
  const server = createServer((near) => {
    near.on('error', () => {});
    host.connect(address).then(
      (far) => {
        pipeline(near, far, near, () => far.destroy());
        if (near.destroyed) far.destroy();
      },
      () => near.destroy(),
    );
  });
  await once(server.listen(path), 'listening');
  const close = async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { path, close };
}

/** Errors of the driver and of connections as sentences. */
export async function asked<T>(problem: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOfDriver(error) || error instanceof BadDump ? sentence(problem, error) : error;
  }
}

export const isOfDriver = (error: unknown): error is Error =>
  error instanceof Error && (/^(?:Mongo|BSON)/.test(error.name) || 'syscall' in error);

export const sentence = (problem: string, error: Error) => {
  const said = error.message
    .split('\n')[0]
    ?.slice(0, 300)
    .replace(/[.!?]?$/, '.');
  return new Error(`${problem}: ${said}`, { cause: error });
};

/** Whatever `work` does, the connection is closed. */
export const withServer = <T>(
  settings: SourceSettings,
  context: Context & { waitMs?: number },
  work: (client: MongoClient) => Promise<T>,
): Promise<T> =>
  asked('The server does not answer', async () => {
    const { client, close } = await openServer(settings, context, context.waitMs);
    try {
      return await work(client);
    } finally {
      await close();
    }
  });

export interface Database {
  name: string;
  bytes: number;
}

export async function allDatabases(client: MongoClient): Promise<Database[]> {
  const { databases } = await client.db('admin').command({ listDatabases: 1 });
  const found = databases as { name: string; sizeOnDisk: number }[];
  return found
    .filter(({ name }) => !own.includes(name))
    .map(({ name, sizeOnDisk: bytes }) => ({ name, bytes }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The databases to dump. Throws an Error when one that is named does not exist. */
export async function databasesOf(client: MongoClient, settings: SourceSettings): Promise<Database[]> {
  const all = await allDatabases(client);
  const wanted = databasesAmong(
    all.map(({ name }) => name),
    settings,
  );
  return all.filter(({ name }) => wanted.includes(name));
}
