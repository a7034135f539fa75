import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { borgEnvironment } from './listing-archives.mjs';

const bundle = (dataDirectory) => join(dataDirectory, 'archive-index.mjs');

/** The server is one bundle without an entry for this part: one of its own, in that folder. */
export async function bundleIndex(dataDirectory) {
  const sqlite3 = import.meta.resolve('sqlite3');
  const source = (...parts) => JSON.stringify(join(import.meta.dirname, '..', ...parts));
  const parts = `
    export * from ${source('server', 'src', 'adapters', 'archive-index', 'index.ts')};
    export * from ${source('plugins', 'driver-borg', 'src', 'parse', 'entries.ts')};`;
  await build({
    input: 'parts',
    platform: 'node',
    resolve: { conditionNames: ['@holdfast/source', 'import', 'node', 'default'] },
    plugins: [
      {
        name: 'native',
        resolveId(id) {
          if (id === 'sqlite3') return { id: sqlite3, external: 'absolute' };
          return id === 'parts' ? id : null;
        },
        load: (id) => (id === 'parts' ? parts : null),
      },
    ],
    output: { file: bundle(dataDirectory), codeSplitting: false },
    logLevel: 'silent',
  });
}

/** The id of the repository whose archives are indexed. */
export const indexed = 'b'.repeat(64);
export const day = 86_400_000;
const usualFolder = 1000;

export const folderOf = (n) =>
  `data/area-${Math.floor(n / usualFolder / 100)}/dir-${Math.floor(n / usualFolder)}`;
/** As long as the average name below /usr. */
export const nameOf = (n) => `photo-${String(n).padStart(9, '0')}.jpeg`;

export const archiveOf = (number) => ({
  toolId: `archive-${number}`,
  name: `daily-${number}`,
  hostname: 'host',
  start: number * day,
});

const entry = (path, type, size, mtime) => ({
  path,
  type,
  mode: '-rw-r--r--',
  user: 'user',
  group: 'group',
  size,
  mtime,
  hardLinkTarget: null,
  symlinkTarget: null,
  healthy: true,
});

/** Files; one in a hundred differs in the second archive. */
export async function* listingOf(files, number) {
  let batch = [];
  for (let n = 0; n < files; n++) {
    if (n % usualFolder === 0) batch.push(entry(folderOf(n), 'directory', 0, 1_700_000_000_000 + n));
    const changed = n % 100 === 7 ? number : 0;
    const mtime = 1_700_000_000_000 + ((n * 7919) % 31_536_000) * 1000 + changed;
    batch.push(entry(`${folderOf(n)}/${nameOf(n)}`, 'file', 1 + ((n * 31) % 400_000) + changed, mtime));
    if (batch.length < 500) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

const log = { debug() {}, info() {}, warn: console.error, error() {}, child: () => log };
const bundled = (dataDirectory) => import(pathToFileURL(bundle(dataDirectory)));

const mark = 'an-unguessable-mark';

/** The fields that the driver asks for. */
export const listFormat = async (dataDirectory) => (await bundled(dataDirectory)).entryFormat(mark);

/** As the driver reads it, of an archive in a repository of the benchmark. */
export async function* borgListing(dataDirectory, { base, repository, archive }) {
  const { EntryParser } = await bundled(dataDirectory);
  const format = await listFormat(dataDirectory);
  const parser = new EntryParser(mark);
  const child = spawn('borg', ['list', `--format=${format}`, `${repository}::${archive}`], {
    env: borgEnvironment(base),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('latin1');
  for await (const piece of child.stdout) yield parser.push(piece);
  if (!parser.isComplete) throw new Error('borg list ended early');
}

export async function openIndexes(dataDirectory) {
  const { makeArchiveIndexes } = await bundled(dataDirectory);
  return makeArchiveIndexes({ dataDirectory, maxBytes: 1e12, log });
}
