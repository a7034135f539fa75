import { join } from 'node:path';
import { hasProgram, type Proof, type ProofContext, type StoredDump } from '@holdfast/plugin-api/source';
import type { Db, MongoClient } from 'mongodb';
import { BadDump } from './archive.js';
import { load, OlderServer } from './restore.js';
import { clientOf, isOfDriver } from './server.js';

/** A server with its data and its sockets in the folder, without network. Throws an Error when this machine can't try the dump. */
export async function prove(dump: StoredDump, { host, folder, signal }: ProofContext): Promise<Proof> {
  const untried = (why: string, cause?: unknown) => new Error(`The dump was not tried: ${why}`, { cause });
  if (!(await hasProgram(host, 'mongod')))
    throw untried('this machine has no mongod to try it with: install the server of MongoDB.');
  const socket = join(folder, 'mongodb.sock');
  const places = [`--dbpath=${folder}`, `--unixSocketPrefix=${folder}`, `--bind_ip=${socket}`];
  const quiet = [`--logpath=${join(folder, 'log')}`, '--setParameter=diagnosticDataCollectionEnabled=false'];
  const argv = ['mongod', ...places, ...quiet, '--wiredTigerCacheSizeGB=0.25', '--noscripting'];
  const stop = new AbortController();
  const { output, code } = await host.open({ argv }, AbortSignal.any([signal, stop.signal]));
  output.resume();
  const ended = code.then(
    (end) => Promise.reject(untried(`mongod ended with code ${end}.`)),
    (error) => Promise.reject(untried('mongod ended.', error)),
  );
  ended.catch(() => {});
  const server = await clientOf(socket, { signal, waitMs: 60_000 });
  let isConnected = false;
  try {
    await Promise.race([server.client.connect(), ended]);
    isConnected = true;
    return await Promise.race([tried(server.client.db('proof'), dump), ended]);
  } catch (error) {
    if (error instanceof OlderServer) throw untried(error.message, error);
    throw isOfDriver(error) ? untried('the server does not answer.', error) : error;
  } finally {
    if (isConnected) await shutDown(server.client, code);
    await server.close();
    stop.abort();
    await code.catch(() => {});
  }
}

/** Its shell would not wait for it, and it would still write while the folder is removed. */
async function shutDown(client: MongoClient, code: Promise<unknown>): Promise<void> {
  const asked = client.db('admin').command({ shutdown: 1, force: true });
  // It closes the connection instead of answering.
  const closed = asked.catch((error: Error) => (error.name === 'MongoNetworkError' ? code : undefined));
  await Promise.race([closed, code]).catch(() => {});
}

async function tried(db: Db, dump: StoredDump): Promise<Proof> {
  try {
    await load(db, dump);
  } catch (error) {
    if (!(error instanceof BadDump) || error instanceof OlderServer) throw error;
    return { passed: false, text: `It could not be restored: ${error.message}` };
  }
  const found = await db.listCollections().toArray();
  const collections = found.filter(({ name, type }) => type !== 'view' && !name.startsWith('system.'));
  let rows = 0;
  for (const { name } of collections) rows += await db.collection(name).countDocuments();
  return { passed: true, text: 'Restored.', tables: collections.length, rows };
}
