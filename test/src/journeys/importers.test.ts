import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';

const plugin = fileURLToPath(new URL('../../../examples/importer-env', import.meta.url));
const route = '/api/import/borgmatic';
let server: TestServer;
let api: Api;
let file: string;
let repository: string;

beforeAll(async () => {
  server = await TestServer.start({ env: { PLUGINS: plugin } });
  api = await server.login();
  const source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  repository = join(server.workspace.path, 'old.borg');
  const borg = new Borg(repository, server.workspace.folder('bare'));
  await borg.run('init', '--encryption=none', repository);
  file = join(server.workspace.path, 'backup.env');
  writeFileSync(file, `BORG_REPO=${repository}\nBACKUP_FOLDERS=${source}\n`);
});
afterAll(() => server?.remove());

const run = (words: string[], env: Record<string, string> = {}) =>
  holdfast(words, {
    cwd: server.workspace.path,
    env: { HOST: '127.0.0.1', PORT: new URL(api.baseUrl).port, HOLDFAST_TOKEN: api.token ?? '', ...env },
  });
const registered = async () => (await api.get('/api/repositories/')).body.repositories;

test('refuses an unknown importer, and names those in use', async () => {
  const files = [{ name: file, content: readFileSync(file, 'utf8') }];
  const refused = await api.post(route, { files, importer: 'kettle', dry_run: true });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    {
      code: 'importer_absent',
      params: { importer: 'kettle', importers: expect.stringMatching(/^(borgmatic, env|env, borgmatic)$/) },
    },
  ]);
  expect((await api.get('/api/export/borgmatic', { importer: 'kettle' })).body.code).toBe('importer_absent');
  expect((await api.get('/api/export/borgmatic', { importer: 'env' })).body.detail).toContain(
    'does not offer this',
  );
  expect((await api.post(route, { files, dry_run: true })).status).toBe(400);
});

test('plans by an added importer', async () => {
  const files = [{ name: file, content: readFileSync(file, 'utf8') }];
  const planned = await api.post(route, { files, importer: 'env', dry_run: true });
  expect(planned.body.lines.map(({ key, result }: Record<string, unknown>) => [key, result])).toEqual([
    ['BORG_REPO', 'taken'],
    ['BACKUP_FOLDERS', 'taken'],
  ]);
  expect(await registered()).toEqual([]);
});

test('imports on the command line with an added importer installed on this machine', async () => {
  const words = ['import', 'borgmatic', file, '--importer', 'env'];
  const alone = await run(words);
  expect([alone.code, alone.err]).toEqual([
    expect.not.stringMatching('^0$'),
    expect.stringContaining('The importer env is not installed here'),
  ]);
  expect(await registered()).toEqual([]);
  const done = await run(words, { PLUGINS: plugin });
  expect([done.err, done.code]).toEqual(['', 0]);
  expect(await registered()).toMatchObject([{ path: repository, mode: 'observe' }]);
  const out = await run(['export', 'borgmatic', '--importer', 'env']);
  expect(out.err).toContain('does not offer this');
});
