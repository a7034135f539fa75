import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
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
    'api/openapi.json',
    'package-lock.json',
  ],
  ...['scripts/build-console.mjs', 'scripts/packages/libraries.mjs'],
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

/** Smaller files fit into one packet as they are. */
const smallest = 1_000;
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a file again as `.br` and `.gz`, which the server sends to those who take them. */
async function compress(file) {
  if (!/\.(css|js|json|svg)$/.test(file)) return;
  const content = readFileSync(file);
  if (content.length < smallest) return;
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, best));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
