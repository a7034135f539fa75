import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './import-check.js';
import { waitFor } from './wait-for.js';
import { makeWorkspace, type Workspace } from './workspace.js';

/**
 * The real scripts over a tiny tree: a bundler that can be slow or fail, a database driver with a native part, a main.js
 * that says that it runs, and a borg that answers with a version.
 */
let workspace: Workspace;
let tree: string;

const put = (path: string, content: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
};

const bundler = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConsole } from './build-console.mjs';
import { buildDocs } from './build-docs.mjs';
const tree = new URL('../', import.meta.url).pathname;
appendFileSync(tree + 'builds.log', 'build\\n');
if (existsSync(tree + 'slow')) await pause(3000);
if (!existsSync(tree)) process.exit(3);
if (existsSync(tree + 'broken')) { console.log('error: broken'); process.exit(2); }
await buildConsole();
await buildDocs();
appendFileSync(tree + 'ends.log', 'end\\n');
`;

const compiler = `
const fs = require('node:fs');
const tree = require('node:path').resolve(__dirname, '../..');
fs.appendFileSync(tree + '/types.log', 'types\\n');
fs.mkdirSync(tree + '/room/dist', { recursive: true });
fs.writeFileSync(tree + '/room/dist/.tsbuildinfo', '');
`;

/** Like that of the real driver, its install script makes what it needs. Those of other packages must not run. */
const installScript = `
const fs = require('node:fs');
fs.appendFileSync(__dirname + '/../scripts.log', process.env.npm_package_name + '\\n');
fs.mkdirSync(__dirname + '/build', { recursive: true });
fs.writeFileSync(__dirname + '/build/native.js', '');
`;

/** Builds the console: one page with one script. */
const vite = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
export async function build({ root }) {
  appendFileSync(root + '/../consoles.log', 'console\\n');
  mkdirSync(root + '/dist/assets', { recursive: true });
  writeFileSync(root + '/dist/index.html', 'page');
  writeFileSync(root + '/dist/assets/main-0123abcd.js', 'page();'.repeat(1000));
  writeFileSync(root + '/dist/assets/small-0123abcd.css', 'a{}');
}
`;

/** Writes the documentation: one page. */
const site = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
export async function writeSite(tree, folder) {
  appendFileSync(tree + '/sites.log', 'site\\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/index.html', 'page');
}
`;

function putBorg(version: string) {
  put('bin/borg', `#!/bin/sh\necho asked >> "$(dirname "$0")/../borg.log"\necho 'borg ${version}'\n`);
  chmodSync(join(tree, 'bin/borg'), 0o755);
}

function putPackage(name: string, more: object, folder = name) {
  put(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0', ...more }));
  return [
    [folder, { name, version: '1.0.0', ...more }],
    [`node_modules/${name}`, { resolved: folder, link: true }],
  ];
}

beforeEach(() => {
  workspace = makeWorkspace();
  tree = workspace.folder('tree');
  cpSync(join(root, 'scripts'), join(tree, 'scripts'), { recursive: true });
  put(
    'scripts/client.mjs',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('client/src/schema.ts', '');\n",
  );
  put('client/src/index.ts', '');
  put('api/openapi.json', '{}');
  put('scripts/docs/site.mjs', site);
  put('scripts/bundle.mjs', bundler);
  const scripts = { install: 'node install.js' };
  const manifest = {
    name: 'tiny',
    version: '1.0.0',
    type: 'module',
    workspaces: ['server', 'console'],
    devDependencies: { 'typescript-7': 'file:compiler', tool: 'file:tool' },
  };
  put('package.json', JSON.stringify(manifest));
  const packages = Object.fromEntries([
    ['', manifest],
    ...putPackage('server', { dependencies: { sqlite3: 'file:../sqlite3', ssh2: 'file:../ssh2' } }),
    ...putPackage('console', { devDependencies: { vite: 'file:../vite' } }),
    ...putPackage('sqlite3', { scripts }),
    ...putPackage('ssh2', { scripts }),
    ...putPackage('vite', { type: 'module', main: 'index.js' }),
    ...putPackage('typescript-7', {}, 'compiler'),
    ...putPackage('tool', {}),
  ]);
  put('package-lock.json', JSON.stringify({ name: 'tiny', version: '1.0.0', lockfileVersion: 3, packages }));
  put('.npmrc', 'ignore-scripts=true\n');
  put('sqlite3/index.js', "require('./build/native.js');\n");
  for (const name of ['sqlite3', 'ssh2']) put(`${name}/install.js`, installScript);
  put('compiler/bin/tsc', compiler);
  put('vite/index.js', vite);
  put('console/src/main.ts', 'page();\n');
  put('tsconfig.json', JSON.stringify({ files: [], references: [{ path: 'room' }] }));
  put('room/src/index.ts', 'export const a = 1;\n');
  put('server/dist/main.js', "console.log('the service runs', process.pid);\n");
  putBorg('1.2.4');
});

afterEach(() => workspace.remove());

interface Outcome {
  code: number | null;
  output: string;
}

function launch(
  script: string,
  env: NodeJS.ProcessEnv = {},
  parameters: string[] = [],
): ChildProcess & { outcome: Promise<Outcome> } {
  const path = `${join(tree, 'bin')}:${process.env.PATH}`;
  const child = spawn(process.execPath, [join(tree, 'scripts', script), ...parameters], {
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const outcome = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return Object.assign(child, { outcome });
}

const start = (env?: NodeJS.ProcessEnv) => launch('start.mjs', env).outcome;
const count = (file: string) =>
  existsSync(join(tree, file)) ? readFileSync(join(tree, file), 'utf8').trim().split('\n').length : 0;

interface Manifest {
  dependencies: Record<string, string>;
}
type Manifests = Manifest & { packages: { server: Manifest } & Record<string, object> };

const installed = (name: string) => existsSync(join(tree, 'node_modules', name));

test('prepares an empty tree once', async () => {
  const first = await start();
  expect(first.output).toMatch(
    /^Packages … \(about 30 s the first time\)\n(.*\n)*Packages: took \d+\.\d s$/m,
  );
  expect(first.output).toContain('the service runs');
  expect(first.code).toBe(0);
  const second = await start();
  expect(second.output).toMatch(/^the service runs \d+\n$/);
  expect([count('builds.log'), count('borg.log')]).toEqual([1, 1]);
});

test('installs tools only for who asks, and the driver once', async () => {
  const before = readFileSync(join(tree, 'package-lock.json'), 'utf8');
  await start();
  expect([installed('vite'), installed('tool'), count('types.log')]).toEqual([true, false, 0]);
  await launch('prepare.mjs', {}, ['dependencies', 'types']).outcome;
  expect([installed('vite'), installed('tool'), count('types.log')]).toEqual([true, true, 1]);
  expect((await start()).output).toMatch(/^the service runs \d+\n$/);
  expect(readFileSync(join(tree, 'scripts.log'), 'utf8'), 'no other script ran').toBe('sqlite3\n');
  expect(readFileSync(join(tree, 'package-lock.json'), 'utf8')).toBe(before);
});

test('repairs an edit, a missing output and a lost driver', async () => {
  await start();
  put('room/src/index.ts', 'export const a = 22;\n');
  await start();
  expect(count('builds.log')).toBe(2);
  rmSync(join(tree, 'console/dist'), { recursive: true });
  await start();
  expect(count('builds.log')).toBe(3);
  rmSync(join(tree, 'sqlite3/build'), { recursive: true });
  expect((await start()).output).toContain('Database driver');
  expect(count('scripts.log')).toBe(2);
});

test('adds a package that an update brings, and keeps the driver', async () => {
  await start();
  const changed = (path: string, change: (content: Manifests) => void) => {
    const content = JSON.parse(readFileSync(join(tree, path), 'utf8'));
    change(content);
    put(path, JSON.stringify(content));
  };
  put('added/package.json', JSON.stringify({ name: 'added', version: '1.0.0' }));
  const add = (content: Manifest) => Object.assign(content.dependencies, { added: 'file:../added' });
  changed('server/package.json', add);
  changed('package-lock.json', ({ packages }) => {
    add(packages.server);
    packages.added = { name: 'added', version: '1.0.0' };
    packages['node_modules/added'] = { resolved: 'added', link: true };
  });
  expect((await start()).output).toContain('Packages: took');
  expect([installed('added/package.json'), count('scripts.log')]).toEqual([true, 1]);
  expect((await start()).output).toMatch(/^the service runs \d+\n$/);
});

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

test('prepares once and runs both if two start together', async () => {
  put('slow', '');
  const [first, second] = await Promise.all([start(), start()]);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.output + second.output).toContain('waiting for it');
  expect(count('builds.log')).toBe(1);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('recovers from a build that was ended by %s', async (signal) => {
  put('slow', '');
  const child = launch('start.mjs');
  await waitFor(() => count('builds.log') === 1, { what: 'the build', intervalMs: 20 });
  child.kill(signal);
  expect((await child.outcome).code).toBe(signal === 'SIGTERM' ? 143 : null);
  rmSync(join(tree, 'slow'));
  const again = await start();
  // What a killed start left running is waited for: never two at work in one tree.
  expect(count('ends.log')).toBe(signal === 'SIGKILL' ? 2 : 1);
  expect(again.code).toBe(0);
  expect(again.output).toContain('the service runs');
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
