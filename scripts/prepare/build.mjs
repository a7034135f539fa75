import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleReady } from '../build-console.mjs';
import { buildDocs, docsReady } from '../build-docs.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { PrepareError, say } from './say.mjs';
import { factsOf, hashOf, removeStamp, stampIs, writeStamp } from './stamp.mjs';

const stamp = join(root, '.cache', 'build');
const bundler = join(root, 'scripts', 'bundle.mjs');
const client = join(root, 'scripts', 'client.mjs');
const description = join(root, 'api', 'openapi.json');

/** The packages that `tsconfig.json` references. */
function packages() {
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return config.references.map(({ path }) => join(root, path));
}

function wanted() {
  const sources = packages().flatMap((folder) =>
    ['src', 'tsconfig.json', 'package.json'].map((name) => join(folder, name)),
  );
  const configs = readdirSync(root).filter((name) => /^tsconfig(\.base)?\.json$/.test(name));
  return hashOf(
    factsOf([...sources, ...configs.map((name) => join(root, name)), ...[bundler, client, description]]),
  );
}

const codeReady = () =>
  packages().every((folder) => existsSync(join(folder, 'dist', '.tsbuildinfo'))) &&
  stampIs(stamp, wanted()) &&
  consoleReady();

export const buildReady = () => codeReady() && docsReady();

/** Compiles and bundles all packages, unless nothing has changed since the last time. */
export async function build() {
  // Without a compiler, a changed page takes two seconds.
  if (codeReady()) return buildDocs();
  say('Building (tsc -b, bundles, the web console, and the documentation).');
  removeStamp(stamp);
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  await runNode([client], { quiet: true });
  const target = wanted();
  await runNode([compiler, '-b']);
  await runNode([bundler]);
  writeStamp(stamp, target);
}

async function runNode(parameters, { quiet } = {}) {
  const { code, output } = await run(process.execPath, parameters, { quiet });
  if (code !== 0) throw new PrepareError(`The build failed: ${quiet ? output : 'see the output above.'}`);
}
