import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from './packages/compress.mjs';
import { licencesOf } from './packages/libraries.mjs';
import { root } from './prepare/root.mjs';
import { factsOf, hashOf, removeStamp, stampIs, writeStamp } from './prepare/stamp.mjs';

const folder = join(root, 'console');
const dist = join(folder, 'dist');
const stamp = join(root, '.cache', 'console');

/** What the web console is made of. */
const sources = [
  ...['build', 'index.html', 'package.json', 'public', 'src', 'tsconfig.json', 'vite.config.ts'].map((name) =>
    join('console', name),
  ),
  ...[
    'client/package.json',
    'client/src',
    'contracts/src/retention.ts',
    'contracts/src/exclude-presets.ts',
    'api/openapi.json',
    'package-lock.json',
  ],
  ...['scripts/build-console.mjs', 'scripts/packages/compress.mjs', 'scripts/packages/libraries.mjs'],
].map((path) => join(root, path));

const wanted = () => hashOf(factsOf(sources));

export const consoleReady = () => existsSync(join(dist, 'index.html')) && stampIs(stamp, wanted());

/** Builds the web console into `console/dist`, unless nothing has changed since the last time. */
export async function buildConsole() {
  const target = wanted();
  if (consoleReady()) return;
  removeStamp(stamp);
  const { build } = await import('vite');
  const modules = [];
  const noteModules = {
    name: 'note-modules',
    generateBundle(_, output) {
      modules.push(...Object.values(output).flatMap(({ moduleIds = [] }) => moduleIds));
    },
  };
  // Workers are bundles of their own.
  const plugins = [noteModules];
  await build({ root: folder, logLevel: 'warn', plugins, worker: { plugins: () => plugins } });
  writeFileSync(join(dist, 'licences.txt'), licencesOf(modules));
  const assets = join(dist, 'assets');
  await Promise.all(readdirSync(assets).map((name) => compress(join(assets, name))));
  writeStamp(stamp, target);
}
