import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from '../../scripts/prepare/orphan.mjs';
import {
  count,
  launch,
  makeTree,
  put,
  putBorg,
  putNpm,
  putProgram,
  putSlow,
  removeTree,
  start,
  tree,
} from './tiny-tree.js';
import { waitFor } from './wait-for.js';

beforeEach(() => {
  makeTree();
  putNpm();
});
afterEach(removeTree);

test('builds the console with the rest, and again only after its changes', async () => {
  await start();
  const assets = join(tree, 'console/dist/assets');
  const script = readFileSync(join(assets, 'main-0123abcd.js'));
  expect(brotliDecompressSync(readFileSync(join(assets, 'main-0123abcd.js.br')))).toEqual(script);
  expect(gunzipSync(readFileSync(join(assets, 'main-0123abcd.js.gz')))).toEqual(script);
  expect(readdirSync(assets)).toHaveLength(4);
  put('room/src/index.ts', 'export const a = 22;\n');
  await start();
  expect([count('builds.log'), count('consoles.log')]).toEqual([2, 1]);
  for (const source of ['console/src/main.ts', 'client/src/index.ts', 'api/openapi.json']) {
    const before = count('consoles.log');
    put(source, 'changed');
    expect((await start()).output).toContain('the service runs');
    expect([source, count('consoles.log')]).toEqual([source, before + 1]);
  }
  rmSync(join(tree, 'console/dist'), { recursive: true });
  await start();
  await start();
  expect(count('consoles.log')).toBe(5);
});

test('builds only the documentation after its changes', async () => {
  await start();
  put('docs/index.md', '# Changed');
  for (const _ of [1, 2]) expect((await start()).output).toMatch(/^the service runs \d+\n$/);
  expect([count('builds.log'), count('sites.log')]).toEqual([1, 2]);
});

test('stops with the bundler’s output after a failed build and retries next time', async () => {
  put('broken', '');
  const failed = await start();
  expect(failed.code).toBe(1);
  expect(failed.output).toContain('error: broken');
  expect(failed.output).not.toContain('the service runs');
  rmSync(join(tree, 'broken'));
  expect((await start()).output).toContain('the service runs');
});

test.each([
  ['the installation', () => putSlow('npm'), putNpm],
  ['the driver’s compilation', () => put('slow-driver', ''), () => rmSync(join(tree, 'slow-driver'))],
  ['the build', () => put('slow', ''), () => rmSync(join(tree, 'slow'))],
  ['the check of borg', () => putSlow('borg'), () => putBorg('1.2.4')],
])(
  'ends with all that it started when interrupted in %s, and starts next time',
  async (_what, slow, quick) => {
    slow();
    const child = launch('start.mjs');
    const pid = () =>
      Number(existsSync(join(tree, 'slow.pid')) && readFileSync(join(tree, 'slow.pid'), 'utf8'));
    await waitFor(() => pid() > 0, { what: 'the slow step', intervalMs: 20 });
    child.kill('SIGINT');
    expect((await child.outcome).code).toBe(130);
    await waitFor(() => !isAlive(pid()), { what: 'the end of the step', intervalMs: 20 });
    quick();
    expect((await start()).output).toContain('the service runs');
  },
);

test('waits for the processes of a killed start', async () => {
  put('slow', '');
  const child = launch('start.mjs');
  await waitFor(() => count('builds.log') === 1, { what: 'the build', intervalMs: 20 });
  child.kill('SIGKILL');
  await child.outcome;
  const left = Number(readFileSync(join(tree, 'slow.pid'), 'utf8'));
  rmSync(join(tree, 'slow'));
  const again = start();
  await waitFor(() => existsSync(join(tree, '.cache/prepare.lock')), {
    what: 'the second start',
    intervalMs: 20,
  });
  expect(count('builds.log')).toBe(1);
  process.kill(left);
  expect((await again).output).toContain('the service runs');
  expect(count('builds.log')).toBe(2);
});

test.each([
  [
    'without network',
    'getaddrinfo EAI_AGAIN registry.example',
    /registry can’t be reached: .*run the command again/,
  ],
  [
    'on a full disk',
    'ENOSPC: no space left on device, write',
    /disk is full: free 1 GB, and run the command again/,
  ],
  ['as another user', 'EACCES: permission denied, mkdir', /npm can’t write here: .*owner of this folder/],
])('names the remedy %s, and starts next time', async (_when, words, sentence) => {
  putProgram('npm', `echo 'npm error ${words}' >&2\nexit 1`);
  const { code, output } = await start();
  expect(code).toBe(1);
  expect(output.trimEnd().split('\n').at(-1)).toMatch(sentence);
  putNpm();
  expect((await start()).output).toContain('the service runs');
});

test('names the version of Node.js that it needs before it loads anything else', async () => {
  put('old.cjs', "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });\n");
  put('scripts/prepare/index.mjs', 'a syntax error\n');
  const { code, output } = await start({ NODE_OPTIONS: `--require ${join(tree, 'old.cjs')}` });
  expect(code).toBe(1);
  expect(output).toMatch(/^Holdfast needs Node\.js 20\.17 or later; this is 18\.20\.8\. Install .*\n$/);
});

test('runs the service in the started process without a wrapper', async () => {
  await start();
  const child = launch('start.mjs');
  expect((await child.outcome).output).toContain(`the service runs ${child.pid}`);
});

test('names the version of a borg that is too old', async () => {
  putBorg('1.1.17');
  const { code, output } = await start();
  expect(code).toBe(1);
  expect(output).toContain('borg 1.1.17');
  expect(output).not.toContain('the service runs');
});

test('reports the install command if borg is missing and cannot be installed', async () => {
  await start();
  rmSync(join(tree, 'bin/borg'));
  for (const name of ['apt-get', 'sudo']) {
    put(`bin/${name}`, `#!/bin/sh\necho "$0 $@" >> "${tree}/installer.log"\nexit 1\n`);
    chmodSync(join(tree, 'bin', name), 0o755);
  }
  symlinkSync(process.execPath, join(tree, 'bin/node'));
  const { code, output } = await start({ PATH: join(tree, 'bin'), HOLDFAST_NO_INSTALL: '1' });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toMatch(/borg is missing.*HOLDFAST_NO_INSTALL=1.*apt-get.* install .*borgbackup/);
  expect(existsSync(join(tree, 'installer.log'))).toBe(false);
});

test('installs a missing borg with the package manager and reports it', async () => {
  await start();
  rmSync(join(tree, 'bin/borg'));
  const script = `#!/bin/sh\ncase "$*" in *install*borgbackup*) printf '#!/bin/sh\\necho borg 1.4.0\\n' > ${tree}/bin/borg; /bin/chmod +x ${tree}/bin/borg;; esac\n`;
  put('bin/apt-get', script);
  put('bin/env', '#!/bin/sh\nshift\nexec "$@"\n');
  put('bin/sudo', '#!/bin/sh\nshift\nexec "$@"\n');
  put('bin/true', '#!/bin/sh\n');
  for (const name of ['apt-get', 'env', 'sudo', 'true']) chmodSync(join(tree, 'bin', name), 0o755);
  const { code, output } = await start({ PATH: join(tree, 'bin'), HOLDFAST_NO_INSTALL: '' });
  expect(output).toContain('Installing borg with apt-get');
  expect(output).toContain('the service runs');
  expect(code).toBe(0);
});
