import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/services/own-server.mjs';
import { backUp } from '../actions.js';
import { Api } from '../api.js';
import { RunningImage } from '../image.js';
import { root } from '../import-check.js';
import { endedRestore } from '../restore.js';
import { makeWorkspace } from '../workspace.js';

/** Builds the image as `npm run image` does, and runs it from its root file system. Needs root. */
const run = promisify(execFile);
const minutes = 60_000;
const tag = `localhost/holdfast-test:${randomBytes(4).toString('hex')}`;
const password = 'choose a long one';
const workspace = makeWorkspace();
let image: RunningImage;
let port: number;
let printed: string;

beforeAll(async () => {
  const script = join(root, 'scripts', 'image.mjs');
  const built = await run(process.execPath, [script, '--tag', tag], { maxBuffer: 64 * 1024 * 1024 });
  printed = built.stdout;
  port = await freePort();
  image = new RunningImage(tag, { HOST: '127.0.0.1', PORT: `${port}`, INITIAL_ADMIN_PASSWORD: password });
  image.start();
  await image.untilHealthy();
}, 30 * minutes);
afterAll(async () => {
  await image?.remove();
  await run('buildah', ['rmi', tag]).catch(() => undefined);
  workspace.remove();
});

test('reports the size of each layer: 350 MB at most in total', () => {
  const sizes = [...printed.matchAll(/^ *([\d.]+) MB {2}(.+)$/gm)];
  expect(sizes.at(-1)?.[2]).toBe(`${tag}, unpacked`);
  const [whole = 0, ...layers] = sizes.map(([, size]) => Number(size)).reverse();
  expect(layers.length).toBeGreaterThan(2);
  for (const size of [whole, layers.reduce((sum, layer) => sum + layer)]) {
    expect(size).toBeGreaterThan(100);
    expect(size).toBeLessThanOrEqual(350);
  }
});

test('contains no build or test tools', () => {
  const tools = ['cc', 'gcc', 'g++', 'c++', 'make', 'npm', 'npx', 'corepack', 'yarn', 'tsc', 'git'];
  const folders = ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'usr/local/bin'].map((name) =>
    join(image.root, name),
  );
  expect(tools.filter((tool) => folders.some((folder) => existsSync(join(folder, tool))))).toEqual([]);
  const product = join(image.root, 'opt', 'holdfast');
  const files = readdirSync(product, { recursive: true, encoding: 'utf8' });
  expect(files).toContain('server/dist/main.js');
  expect(files.filter((name) => /\.(ts|map|c|cc|h)$/.test(name))).toEqual([]);
  expect(files.filter((name) => /^(server|core|contracts|plugins\/[\w-]+)\/(src|test)$/.test(name))).toEqual(
    [],
  );
  const development = ['typescript', 'vitest', '@biomejs/biome', '@types/node', 'fast-check', 'node-gyp'];
  expect(development.filter((name) => existsSync(join(product, 'node_modules', name)))).toEqual([]);
});

test('runs the quick start of the API page as its user', async () => {
  expect(image.user).toBe(10001);
  const page = readFileSync(join(root, 'docs', 'developers', 'api.md'), 'utf8');
  const [, first = ''] = /^## Quick start\n.*?^```sh\n(.*?)^```/ms.exec(page) ?? [];
  const lines = first
    .replace(/^INITIAL_ADMIN_PASSWORD='(.*)' npm start &$/m, (_line, given) => {
      expect(given).toBe(password);
      return '';
    })
    .replace('127.0.0.1:8081', `127.0.0.1:${port}`)
    // The folder for repositories in the image.
    .replaceAll('$HOME/backups', '/backups');
  const { stdout } = await run('bash', ['-eu', '-c', lines], { cwd: workspace.path, timeout: 2 * minutes });
  expect(stdout).toContain('"status":"completed"');
  expect(stdout).toContain('"name":"copyright"');
  const original = readFileSync(join(image.root, 'usr/share/doc/bash/copyright'));
  expect(readFileSync(join(workspace.path, 'copyright')).equals(original)).toBe(true);
});

test('contains the console with compressed files and without sources', async () => {
  const product = join(image.root, 'opt', 'holdfast');
  const packed = readdirSync(join(product, 'console', 'dist', 'assets')).filter((name) =>
    /\.(br|gz)$/.test(name),
  );
  expect(packed.length).toBeGreaterThan(1);
  expect(readdirSync(join(product, 'console')).sort()).toEqual(['dist', 'package.json']);
  expect(
    ['client', 'node_modules/preact', 'node_modules/vite'].filter((name) => existsSync(join(product, name))),
  ).toEqual([]);
  const api = new Api(`http://127.0.0.1:${port}`);
  const page = await api.get('/');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page.text) ?? [];
  expect(
    (await api.get(script, {}, { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
  ).toBe('br');
});

test('backs up and restores a folder', async () => {
  const anybody = new Api(`http://127.0.0.1:${port}`);
  const form = { username: 'admin', password };
  const login = await anybody.request('POST', '/api/auth/login', { form });
  const api = anybody.as(login.body.access_token);
  const repository = '/backups/documents';
  const { status, archive_name: archive } = await backUp(api, repository);
  expect(status).toBe('completed');
  const place = { repository, archive, paths: ['usr/share/doc/bash'], destination: '/backups/restored' };
  const restored = await endedRestore(api, await api.post('/api/restore/start', place));
  expect([restored.status, restored.error_message]).toEqual(['completed', null]);
  const file = 'usr/share/doc/bash/copyright';
  expect(readFileSync(join(image.root, 'backups/restored', file))).toEqual(
    readFileSync(join(image.root, file)),
  );
});

test('passes its doctor command and ends cleanly on SIGTERM', async () => {
  const { stdout } = image.run('holdfast', 'doctor');
  expect(stdout).toMatch(/^ok/m);
  expect(stdout).not.toMatch(/^failed/m);
  expect(await image.stop()).toBe(0);
  expect(image.healthCheck()).toBe(1);
});
