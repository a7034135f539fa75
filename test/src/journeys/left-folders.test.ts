import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { markedBy } from '../faults/point.js';
import { TestServer } from '../server.js';
import { clockAhead } from '../soak/clock-ahead.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

/** What the tool keeps on this machine for repositories, when the service dies while it looks at one. */
const workspace = makeWorkspace();
const order = join(workspace.path, 'order');
let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await TestServer.start({ workspace, env: markedBy(order, workspace.path) });
  api = await server.login();
});
afterAll(() => server?.remove());

const make = (name: string) =>
  createRepository(api, { name, path: join(workspace.path, name), mode: 'observe' });
const folders = () => {
  const data = join(server.dataDirectory, 'plugin-data', 'driver-borg');
  return existsSync(data) ? readdirSync(data).filter((name) => /^[\da-f]{8}-/.test(name)) : [];
};

test('removes import folders after kill -9, but not those of repositories', async () => {
  const kept = await make('kept');
  const before = folders();
  expect(before).toHaveLength(1);
  const other = await make('other');
  expect((await api.delete(`/api/repositories/${other.id}`)).status).toBe(200);
  expect(folders()).toEqual(before);

  writeFileSync(order, JSON.stringify({ label: 'borg list', nth: 1, side: 'ended' }));
  const input = { name: 'again', path: other.path, passphrase, mode: 'observe' };
  await expect(api.post('/api/repositories/import', input)).rejects.toThrow();
  rmSync(order);
  expect(folders()).toHaveLength(2);

  Object.assign(server.options.env ?? {}, clockAhead(45));
  await server.restart('SIGKILL');
  await waitFor(() => folders().length === 1, { what: 'the removal of the left folder' });
  expect(folders()).toEqual(before);
  api = await server.login();
  expect((await api.post(`/api/repositories/${kept.id}/check`)).status).toBe(200);
  expect((await api.post('/api/repositories/import', input)).status).toBe(201);
  expect(folders()).toHaveLength(2);
});
