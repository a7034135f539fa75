import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const program = process.env.TEST_MONGOD ?? '';
const password = randomBytes(12).toString('hex');

/** NODE_DEBUG makes Node name each CommonJS module that it loads, as the client library is one. */
const loadedClient = (server: TestServer) => /load ".*\/node_modules\/mongodb\//.test(server.log);

const healthOf = async ({ api }: TestServer) => (await api.get('/health')).body;
const untilHealth = (server: TestServer, what: string, expected: object) =>
  waitFor(async () => expect.objectContaining(expected).asymmetricMatch(await healthOf(server)), {
    what,
    timeoutMs: 30_000,
  });

const well = {
  status: 'healthy',
  service: 'holdfast',
  ready: true,
  degraded: [],
  degraded_codes: [],
  notices: expect.any(Array),
};
const unwell = {
  ...well,
  degraded: ['The jobs plugin mongodb is not healthy; administrators see why in GET /api/plugins.'],
  degraded_codes: [expect.objectContaining({ code: 'health_plugin' })],
};

test('does not load its client without MONGODB_URI', async () => {
  const server = await TestServer.start({ env: { MONGODB_URI: undefined, NODE_DEBUG: 'module' } });
  try {
    expect(server.log).toContain('MODULE');
    expect(loadedClient(server)).toBe(false);
    const { body } = await (await server.login()).get('/api/plugins');
    expect(body.plugins).toContainEqual(expect.objectContaining({ kind: 'jobs', id: 'embedded' }));
  } finally {
    await server?.remove();
  }
});

describe.skipIf(program === '')('the service with an unreliable MongoDB', () => {
  let mongo: MongoServer;
  let server: TestServer;
  let api: Api;
  let path: string;

  beforeAll(async () => {
    mongo = await MongoServer.start(program);
    await mongo.stop();
    server = await TestServer.start({ env: { MONGODB_URI: mongo.uri, NODE_DEBUG: 'module' } });
    api = await server.login();
    path = join(server.workspace.path, 'repository');
    const source = server.workspace.folder('source');
    makeFiles(source, 50);
    await createRepository(api, { name: 'documents', path, source_directories: [source] });
  });
  afterAll(async () => {
    await server?.remove();
    await mongo?.remove();
  });

  const backsUp = async () => expect((await backUp(api, path)).status).toBe('completed');

  test('starts without MongoDB and names it as missing', async () => {
    expect(loadedClient(server)).toBe(true);
    expect(await healthOf(server)).toEqual(unwell);
    const { body } = await api.get('/api/plugins');
    expect(body.plugins).toContainEqual(
      expect.objectContaining({
        id: 'mongodb',
        healthy: false,
        problem: expect.stringMatching(/^MongoDB .*; timers wait/),
      }),
    );
    await backsUp();
  });

  test('recovers automatically when it starts', async () => {
    await mongo.launch();
    await untilHealth(server, 'health after MongoDB came', well);
    await backsUp();
  });

  test('responds and works while it hangs', async () => {
    await mongo.freeze();
    await untilHealth(server, 'a word on the hanging MongoDB', unwell);
    const began = performance.now();
    expect(await healthOf(server)).toEqual(unwell);
    expect(performance.now() - began).toBeLessThan(10_000);
    await backsUp();
    mongo.signal('SIGCONT');
    await untilHealth(server, 'health after the hang', well);
  });

  test('survives a kill and return of MongoDB', async () => {
    await mongo.stop('SIGKILL');
    await untilHealth(server, 'a word on the missing MongoDB', unwell);
    await backsUp();
    await mongo.launch();
    await untilHealth(server, 'health after the restart', well);
    await backsUp();
  });

  test('ends cleanly without unhandled rejections', async () => {
    expect(server.log).not.toContain('unhandled promise rejection');
    expect(await server.stop()).toBe(0);
    await server.launch();
  });
});

test.skipIf(program === '')('shows the password in MONGODB_URI in no log or response', async () => {
  const uri = `mongodb://backup:${password}@127.0.0.1:1/holdfast`;
  const server = await TestServer.start({ env: { MONGODB_URI: uri, LOG_LEVEL: 'debug' } });
  try {
    await waitFor(() => server.log.includes("MongoDB can't be reached"), { what: 'the warning' });
    const plugins = await (await server.login()).get('/api/plugins');
    expect(server.log + plugins.text + JSON.stringify(await healthOf(server))).not.toContain(password);
  } finally {
    await server?.remove();
  }
});
