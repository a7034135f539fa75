/** MongoDB databases: with a password, after kill -9, and in a container. */
import { dirname } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import {
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  endedJob,
  isTerminal,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

const program = process.env.TEST_MONGOD ?? '';
const password = 'sesame of MongoDB';
const path = process.env.PATH;
let mongo: MongoServer;
let client: MongoClient;
let engine: PodmanEngine;
let server: TestServer;
let api: Api;
let repository: string;

const source = (more: object = {}) => ({
  kind: 'mongodb',
  name: 'shop',
  settings: { port: `${mongo.port}`, user: 'backup', password, databases: 'shop', ...more },
});

beforeAll(async () => {
  // Drills look for the server there.
  process.env.PATH = `${dirname(program)}:${path}`;
  mongo = await MongoServer.start(program, { user: { user: 'backup', pwd: password }, testCommands: true });
  client = new MongoClient(mongo.uri, { auth: { username: 'backup', password } });
  await client
    .db('shop')
    .collection('customers')
    .insertMany([{ name: 'Ann' }, { name: 'Bob' }]);
  const texts = Array.from({ length: 3_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
  await client.db('shop').collection('texts').insertMany(texts);
  engine = await PodmanEngine.start();
  server = await TestServer.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
  api = await server.login();
  repository = server.workspace.folder('repositories', 'shop');
  await createRepository(api, { name: 'shop', path: repository, sources: [source()] });
});
afterAll(async () => {
  process.env.PATH = path;
  await client?.close();
  await server?.remove();
  await engine?.remove();
  await mongo?.remove();
});

const restored = async (archive: string | null | undefined, dump: string, into: string) => {
  const order = { repository, archive, path: `holdfast-sources/${dump}`, into };
  const { status, error_message } = await endedRestore(api, await api.post('/api/restore/dump', order));
  return [status, error_message];
};

test('backs up a database and restores it under a new name', async () => {
  const job = await backUp(api, repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const archive = job.archive_name ?? '';
  const dumps = await contentsOf(api, { repository, archive, path: 'holdfast-sources/mongodb/shop' });
  expect(dumps.map(({ name }) => name)).toEqual(['shop.archive']);
  expect(await restored(archive, 'mongodb/shop/shop.archive', 'shop')).toEqual([
    'failed',
    expect.stringContaining('choose another name'),
  ]);
  expect(await restored(archive, 'mongodb/shop/shop.archive', 'again')).toEqual(['completed', null]);
  const documents = (name: string) => client.db(name).collection('texts').find().sort({ _id: 1 }).toArray();
  expect(await documents('again')).toEqual(await documents('shop'));
});

test('restores a dump in a drill and counts its collections and documents', async () => {
  const { body } = await api.post('/api/repositories/1/drill', {});
  const ended = async () => isTerminal((await api.get(`/api/jobs/${body.job_id}`)).body.job);
  await waitFor(ended, { what: 'the end of the drill' });
  const { drills } = (await api.get('/api/drills', { limit: 1 })).body;
  expect(drills[0].error_message ?? null).toBeNull();
  const { results } = (await api.get(`/api/drills/${drills[0].id}`, { limit: 10 })).body;
  expect(results).toMatchObject([
    { verdict: 'passed', reason: expect.stringContaining('2 tables, 3002 rows') },
  ]);
});

/** Makes the server wait in the middle of the next dump. */
const hold = () =>
  client.db('admin').command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: ['getMore'], blockConnection: true, blockTimeMS: 600_000, appName: 'holdfast' },
  });
async function working(): Promise<Document[]> {
  const { inprog } = await client.db('admin').command({ currentOp: 1, appName: 'holdfast', op: 'getmore' });
  return inprog;
}
const dumping = async () => (await working()).length > 0;

test('keeps no half dump after kill -9, and the next backup is whole', async () => {
  const before = (await archivesOf(api, repository)).length;
  await hold();
  const id = await startBackup(api, repository);
  await waitFor(dumping, { what: 'a dump that waits' });
  await server.stop('SIGKILL');
  await server.launch();
  expect((await endedJob(api, id)).status).toBe('failed');
  expect(await archivesOf(api, repository)).toHaveLength(before);
  // The server does not notice the end of a connection while it has to wait.
  for (const { opid: op } of await working()) await client.db('admin').command({ killOp: 1, op });
  const next = await backUp(api, repository);
  expect([next.status, next.error_message]).toEqual(['completed', null]);
});

test('fails with a sentence when the server dies in the middle', async () => {
  await hold();
  const id = await startBackup(api, repository);
  await waitFor(dumping, { what: 'a dump that waits' });
  await mongo.stop('SIGKILL');
  const job = await endedJob(api, id);
  await mongo.launch();
  expect([job.status, job.error_message]).toEqual([
    'failed',
    expect.stringMatching(/shop could not be dumped: .*\.$/),
  ]);
  expect(server.log).not.toContain(password);
});

test('backs up and restores a database in a container with its password', async () => {
  const pwd = 'of the container';
  const chat = await MongoServer.start(program, { user: { user: 'root', pwd } });
  const ask = async <T>(work: (at: MongoClient) => Promise<T>) => {
    const at = new MongoClient(chat.uri, { auth: { username: 'root', password: pwd } });
    return work(at).finally(() => at.close());
  };
  try {
    await ask((at) => at.db('chat').collection('rooms').insertOne({ name: 'hall' }));
    await chat.stop();
    engine.container('chat-db', {
      image: 'docker.io/library/mongo:6',
      options: [
        ...['-v', `${program}:/mongod:ro`, '-v', `${chat.folder}:/data`],
        ...['-e', 'MONGO_INITDB_ROOT_USERNAME=root', '-e', `MONGO_INITDB_ROOT_PASSWORD=${pwd}`],
      ],
      command: ['/mongod', '--dbpath=/data', '--bind_ip=127.0.0.1', '--auth', '--nounixsocket'],
    });
    engine.container('unifi', {
      image: 'lscr.io/linuxserver/unifi-network-application:latest',
      options: ['-v', 'unifi:/config', '-e', 'MONGO_HOST=chat-db'],
      command: ['sh', '-c', 'trap "exit 0" TERM; sleep 1000 & wait'],
    });
    const { candidates } = (await api.post('/api/sources/find', {})).body;
    const unifi = candidates.find(({ name }: { name: string }) => name === 'unifi');
    expect(unifi).toMatchObject({
      settings: { volumes: 'unifi:/config', exclude: 'unifi:/config/logs' },
      detail: 'UniFi Network Application. Stopped while its databases are dumped. Volumes: /config.',
    });
    const [stopped, found] = unifi.with;
    expect(stopped).toMatchObject({ kind: 'container', settings: { stop: 'unifi' } });
    expect(found).toEqual({
      kind: 'mongodb',
      name: 'chat-db',
      container: 'chat-db',
      settings: { user: 'root', password_from: 'MONGO_INITDB_ROOT_PASSWORD' },
    });
    const checked = async () => (await api.post('/api/sources/check', { source: found })).body.findings[0];
    await waitFor(async () => (await checked()).status === 'ok', { what: 'the server in the container' });
    expect((await checked()).text).toMatch(/^1 databases with \d+ MB: chat\.$/);

    repository = server.workspace.folder('repositories', 'chat');
    await createRepository(api, { name: 'chat', path: repository, sources: [stopped, found] });
    const job = await backUp(api, repository);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    const dump = 'mongodb/chat-db/chat.archive';
    expect(await restored(job.archive_name, dump, 'again')).toEqual(['completed', null]);
    // A container without an init keeps each program that nobody waited for.
    await waitFor(() => !engine.podman('top', 'chat-db', 'comm').includes('cat'), {
      what: 'the end of all programs in the container',
    });
    engine.podman('rm', '--force', '--time=10', 'chat-db');
    await chat.launch();
    const rooms = await ask((at) => at.db('again').collection('rooms').find().toArray());
    expect(rooms).toMatchObject([{ name: 'hall' }]);
    expect(server.log).not.toContain(pwd);
  } finally {
    await chat.remove();
  }
});
