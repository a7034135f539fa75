import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleReady } from '../build-console.mjs';
import { buildDocs, docsReady } from '../build-docs.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { PrepareError, step } from './say.mjs';
import { factsOf, hashOf, removeStamp, stampIs, writeStamp } from './stamp.mjs';

const stamp = join(root, '.cache', 'build');
const clientStamp = join(root, '.cache', 'client');
const typesStamp = join(root, '.cache', 'types');
const bundler = join(root, 'scripts', 'bundle.mjs');
const client = join(root, 'scripts', 'client.mjs');
const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
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
  existsSync(join(root, 'server', 'dist', 'main.js')) && stampIs(stamp, wanted()) && consoleReady();

export const buildReady = () => codeReady() && docsReady();

/** Builds what is served (bundles, the web console and the documentation), unless nothing has changed. */
export async function build() {
  // Without the bundler, a changed page takes two seconds.
  if (codeReady()) return buildDocs();
  await step('Build', '15 s', async () => {
    removeStamp(stamp);
    const target = wanted();
    await runNode([bundler]);
    writeStamp(stamp, target);
  });
}

const wantedClient = () => hashOf(factsOf([client, description]));

export const clientReady = () =>
  existsSync(join(root, 'client', 'src', 'schema.ts')) && stampIs(clientStamp, wantedClient());

/** Writes the types of the interface. */
export async function writeClient() {
  if (clientReady()) return;
  await runNode([client]);
  writeStamp(clientStamp, wantedClient());
}

export const typesReady = () =>
  clientReady() &&
  packages().every((folder) => existsSync(join(folder, 'dist', '.tsbuildinfo'))) &&
  stampIs(typesStamp, wanted());

/** Writes the type declarations, which only tests and checks read. */
export async function writeTypes() {
  if (typesReady()) return;
  await writeClient();
  await step('Types', '20 s', async () => {
    removeStamp(typesStamp);
    const target = wanted();
    await runNode([compiler, '-b']);
    writeStamp(typesStamp, target);
  });
}

async function runNode(parameters) {
  const { code, output } = await run(process.execPath, parameters, { quiet: true });
  if (code !== 0) throw new PrepareError(`The build failed:\n${output}`);
}
