import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
afterAll(() => server?.remove());

test('keeps the index after kill -9, and builds a damaged one again', async () => {
  server = await TestServer.start({ env: { INDEX_MAX_MB: '100' } });
  const source = server.workspace.folder('source');
  makeFiles(source, 5);
  const settings = { name: 'home', path: join(server.workspace.path, 'home'), source_directories: [source] };
  let api = await server.login();
  const home = await createRepository(api, settings);
  const index = async () => (await api.get(`/api/repositories/${home.id}/index`)).body;
  const indexed = (archives: number) =>
    waitFor(async () => (await index()).indexed_archives === archives, {
      what: `${archives} indexed archives`,
    });

  expect((await backUp(api, home.path)).status).toBe('completed');
  await indexed(1);
  expect((await backUp(api, home.path)).status).toBe('completed');
  await server.stop('SIGKILL');
  const folder = join(server.dataDirectory, 'index');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  expect(files).toHaveLength(1);
  for (const file of files) writeFileSync(join(folder, file), Buffer.alloc(5_000));
  await server.launch();
  api = await server.login();
  await indexed(2);
  const query = { q: 'file', type: 'file', deleted: 'true' };
  const { body } = await api.get(`/api/repositories/${home.id}/search`, query);
  expect(body.not_searched).toEqual([]);
});
