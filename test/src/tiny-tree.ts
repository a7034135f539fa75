import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './import-check.js';
import { makeWorkspace, type Workspace } from './workspace.js';

/**
 * The real scripts over a tiny tree: a bundler that can be slow or fail, a database driver with a native part, a main.js
 * that says that it runs, and a borg that answers with a version.
 */
let workspace: Workspace;
export let tree: string;

export const put = (path: string, content: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
};

const bundler = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConsole } from './build-console.mjs';
import { buildDocs } from './build-docs.mjs';
const tree = new URL('../', import.meta.url).pathname;
appendFileSync(tree + 'builds.log', 'build\\n');
writeFileSync(tree + 'slow.pid', \`\${process.pid}\`);
if (existsSync(tree + 'slow')) await pause(3_600_000);
if (!existsSync(tree)) process.exit(3);
if (existsSync(tree + 'broken')) { console.log('error: broken'); process.exit(2); }
await buildConsole();
await buildDocs();
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
if (fs.existsSync(__dirname + '/../slow-driver')) {
  fs.writeFileSync(__dirname + '/../slow.pid', String(process.pid));
  return void setTimeout(() => {}, 3_600_000);
}
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

export const putBorg = (version: string) =>
  putProgram('borg', `echo asked >> "$(dirname "$0")/../borg.log"\necho 'borg ${version}'`);

function putPackage(name: string, more: object, folder = name) {
  put(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0', ...more }));
  return [
    [folder, { name, version: '1.0.0', ...more }],
    [`node_modules/${name}`, { resolved: folder, link: true }],
  ];
}

/** Call it before each test. */
export function makeTree() {
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
}

export const removeTree = () => workspace.remove();

interface Outcome {
  code: number | null;
  output: string;
}

export function launch(
  script: string,
  env: NodeJS.ProcessEnv = {},
  parameters: string[] = [],
): ChildProcess & { outcome: Promise<Outcome> } {
  const path = `${join(tree, 'bin')}:${process.env.PATH}`;
  const child = spawn(process.execPath, [join(tree, 'scripts', script), ...parameters], {
    env: { ...process.env, PATH: path, npm_execpath: '', ...env },
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

export const start = (env?: NodeJS.ProcessEnv) => launch('start.mjs', env).outcome;
export const count = (file: string) =>
  existsSync(join(tree, file)) ? readFileSync(join(tree, file), 'utf8').trim().split('\n').length : 0;

/** A program that the tree finds first. */
export function putProgram(name: string, script: string) {
  put(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(tree, 'bin', name), 0o755);
}

/** Plays npm in a hundredth of its time. */
export const putNpm = () =>
  putProgram(
    'npm',
    `[ "$1" = rebuild ] && exec node sqlite3/install.js
mkdir -p node_modules
for name in sqlite3 ssh2 vite server console; do ln -sfn ../$name node_modules/$name; done
echo '{"packages":{}}' > node_modules/.package-lock.json`,
  );

/** Stands for a command; ended with the preparation, or it would go on for an hour. */
export const putSlow = (name: string) => putProgram(name, `echo $$ > "${tree}/slow.pid"\nexec sleep 3600`);
