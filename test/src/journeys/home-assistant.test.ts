import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAsHome, retainedBy } from '../../../plugins/states-mqtt/test/broker.js';
import { MosquittoServer } from '../../../scripts/services/mosquitto-server.mjs';
import { backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const password = 'sesame-4711-broker';
let broker: MosquittoServer;
let server: TestServer;
let api: Api;
let home: Repository;

beforeAll(async () => {
  broker = await MosquittoServer.start({ password });
  server = await TestServer.start({
    driver: 'memory',
    env: {
      PLUGIN_STATES_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      PLUGIN_STATES_MQTT_USER: 'holdfast',
      PLUGIN_STATES_MQTT_PASSWORD: password,
    },
  });
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  await broker?.remove();
});

const retained = () => retainedBy(broker, password);
const shows = (expected: object) =>
  waitFor(
    async () => {
      try {
        expect(readAsHome(await retained())).toMatchObject(expected);
        return true;
      } catch {
        return false;
      }
    },
    { what: JSON.stringify(expected), timeoutMs: 90_000 },
  );

test('shows the state right after the start', async () => {
  await shows({ text: 'Nothing is protected yet: there are no repositories.', repositories: [] });
});

test('shows a backup when it ends', async () => {
  const source = server.workspace.folder('source');
  makeFiles(source, 3);
  home = await createRepository(api, {
    name: `home ${'ü'.repeat(80)}`,
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
    freshness_hours: 26,
  });
  await shows({ repositories: [{ id: home.id, protected: false, newestArchive: null }] });
  writeFileSync(join(source, 'new'), 'new');
  expect((await backUp(api, home.path)).status).toBe('completed');
  const known = (await api.get('/api/overview')).body.repositories[0];
  await shows({
    text: 'Protected: 1 of 1 repositories.',
    repositories: [
      {
        id: home.id,
        name: expect.stringMatching(/^home ü+…$/),
        protected: true,
        late: false,
        damaged: false,
        newestArchive: known.newest_archive,
        lastVerifiedRestore: null,
      },
    ],
  });
});

test('is offline after a crash, and online with the next start', async () => {
  await server.stop('SIGKILL');
  await waitFor(async () => (await retained()).get('holdfast/status') === 'offline', { what: 'offline' });
  await server.launch();
  await shows({ repositories: [{ id: home.id, protected: true }] });
});

test('reports a broker that is down without its address, and no secret', async () => {
  await broker.stop();
  const degraded = async () => (await api.get('/health')).body.degraded as string[];
  const words = await waitFor(async () => (await degraded())[0], { what: 'a degraded part' });
  expect(words).toMatch(/^The states plugin mqtt is not healthy;/);
  const { body } = await api.get('/api/plugins');
  const plugin = (body.plugins as { id: string; problem: string }[]).find(({ id }) => id === 'mqtt');
  expect(plugin?.problem).toMatch(/^The MQTT broker at mqtt:\/\/127\.0\.0\.1:\d+ can't be used: /);
  expect((await backUp(api, home.path)).status).toBe('completed');
  await broker.launch();
  await shows({ repositories: [{ id: home.id, protected: true }] });
  await waitFor(async () => (await degraded()).length === 0, { what: 'a healthy service' });
  expect(server.log).not.toContain(password);
});

test('removes a repository with all of its topics', async () => {
  expect((await api.delete(`/api/repositories/${home.id}`)).status).toBe(200);
  await shows({ repositories: [] });
  expect([...(await retained()).keys()].filter((topic) => topic.includes('repository'))).toEqual([]);
});

test('is offline when it stops', async () => {
  await server.stop();
  expect((await retained()).get('holdfast/status')).toBe('offline');
});
