import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FormData } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, expectRefusal, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let source: string;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 5);
});
afterAll(() => server?.remove());

const store = (name: string) => join(server.workspace.path, 'stores', 'deep', name);
const create = (name: string, more: object = {}) =>
  createRepository(api, { name, path: store(name), source_directories: [source], ...more });
const importIt = (name: string, more: object = {}) =>
  api.post('/api/repositories/import', {
    name,
    path: store(name),
    passphrase,
    source_directories: [source],
    ...more,
  });
const show = async (id: number) => (await api.get(`/api/repositories/${id}`)).body.repository;

function upload(id: number, content: string) {
  const form = new FormData();
  form.append('keyfile', new Blob([content]), 'key');
  return api.request('POST', `/api/repositories/${id}/keyfile`, { body: form });
}

describe.each(['repokey', 'repokey-blake2', 'keyfile', 'keyfile-blake2', 'none'])(
  'encryption %s',
  (encryption) => {
    const kept = encryption.startsWith('keyfile');

    test('is made, backed up into, forgotten and imported again', async () => {
      const made = await create(encryption, {
        encryption,
        passphrase: encryption === 'none' ? undefined : passphrase,
      });
      expect(made).toMatchObject({ encryption, has_keyfile: kept, archive_count: 0, total_size: null });
      expect((await backUp(api, made.path)).status).toBe('completed');
      const full = await show(made.id);
      expect(full).toMatchObject({
        archive_count: 1,
        total_size: expect.stringMatching(/^\d+\.\d\d (B|KB|MB)$/),
      });
      expect(full.last_backup).toMatch(/Z$/);

      const key = await api.get(`/api/repositories/${made.id}/keyfile`);
      if (encryption === 'none') expectRefusal(key, 400, /not encrypted/);
      else expect(key.text).toMatch(/^HOLDFAST_MEMORY_KEY [0-9a-f]{64}\n/);
      expect((await api.delete(`/api/repositories/${made.id}`)).status).toBe(200);
      expect(existsSync(join(made.path, 'repository.json'))).toBe(true);

      if (kept) expectRefusal(await importIt(encryption), 400, /keyfile_content/);
      const again = await importIt(encryption, kept ? { keyfile_content: key.text } : {});
      expect(again.text).toContain('"success":true');
      expect(again.status).toBe(201);
      expect(again.body.repository).toMatchObject({ encryption, has_keyfile: kept, archive_count: 1 });
      expect(await archivesOf(api, made.path)).toHaveLength(1);
      expect((await backUp(api, made.path)).status).toBe('completed');
    });
  },
);

test('accepts a key file only for its own repository', async () => {
  const one = await create('one', { encryption: 'keyfile' });
  const two = await create('two', { encryption: 'keyfile' });
  const { text } = await api.get(`/api/repositories/${one.id}/keyfile`);
  expect((await upload(one.id, text)).body).toMatchObject({ success: true });
  expectRefusal(await upload(two.id, text), 400, /another repository/);
  expectRefusal(await upload(two.id, 'no key'), 400, /key file/);
  expectRefusal(await upload(two.id, 'x'.repeat(65 * 1024)), 413);
  expect((await backUp(api, one.path)).status).toBe('completed');
  expect((await backUp(api, two.path)).status).toBe('completed');
});
