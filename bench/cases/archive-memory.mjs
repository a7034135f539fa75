import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addFurther } from '../further-archives.mjs';
import { bundleIndex, folderOf, indexed, listFormat, nameOf, openIndexes } from '../indexed-files.mjs';
import { borg, repositoryOf } from '../listing-archives.mjs';
import { settings } from '../settings.mjs';
import { median, megabytes, milliseconds, percentile, ratio, seconds } from '../statistics.mjs';

const searches = 200;
const histories = 1000;

/**
 * The index of archives: adding one in a process of its own, then searches, histories and the files that a prune of
 * half of the archives would lose.
 */
export async function archiveMemory({ folder, say }) {
  const { indexedFiles: files, indexedArchives: archives } = settings;
  const ratios = await addListed({ folder, say });
  const dataDirectory = await emptyIn(folder, 'index-of-archives');
  say(`adding an archive of ${files} files, and a further one`);
  const first = add({ dataDirectory, files, number: 0 });
  const bytes = await sizeOf(dataDirectory);
  const second = add({ dataDirectory, files, number: 1 });
  say(
    `first: ${seconds(first.ms)}, ${seconds(first.cpu)} of a core; further: ${seconds(second.ms)}, ${seconds(second.cpu)}`,
  );
  say(`writing ${archives} archives`);
  await addFurther(dataDirectory, { from: 2, to: archives - 1 });
  const indexes = await openIndexes(dataDirectory);
  const index = await indexes.open(indexed);
  const found = await timesOfSearches(index, files);
  const paths = await timesOf(histories, async (n) => {
    const number = (n * 7919) % files;
    const versions = await index.history(`${folderOf(number)}/${nameOf(number)}`);
    if (versions === null) throw new Error(`no history of file ${number}`);
  });
  const removed = Array.from({ length: archives / 2 }, (_, n) => `archive-${n}`);
  let lost;
  const [prune] = await timesOf(1, async () => {
    lost = await index.lost(removed);
  });
  const all = await sizeOf(dataDirectory);
  say(
    `a prune of ${removed.length} archives would lose ${lost.files} files; the index has ${megabytes(all)}`,
  );
  await indexes.close();
  const limited = (what, value, limit, show) => ({
    what,
    measured: show(value),
    limit: show(limit),
    passed: value <= limit,
  });
  const byte = (n) => n.toFixed(0);
  return [
    limited(`search in ${archives} archives of ${files} files, median`, median(found), 100, milliseconds),
    limited('the same, p99', percentile(found, 0.99), 400, milliseconds),
    limited('history of a path there, median', median(paths), 10, milliseconds),
    limited(`files that a prune of ${removed.length} would lose`, prune, 2000, seconds),
    limited('adding a first archive ÷ `borg list` of it', ratios[0], 1.2, ratio),
    limited('the same, a further archive', ratios[1], 1.2, ratio),
    limited('memory above idle while adding the first', first.memory, 100e6, megabytes),
    limited('the same, a further one', second.memory, 100e6, megabytes),
    limited('bytes on disk per path', bytes / files, 120, byte),
    limited('bytes on disk per further version', (all - bytes) / ((archives - 1) * (files / 100)), 40, byte),
  ];
}

function add(order) {
  const script = fileURLToPath(new URL('../adding-archive.mjs', import.meta.url));
  const words = ['--expose-gc', script, JSON.stringify(order)];
  return JSON.parse(
    execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}

/** An archive of a repository, into an index without others and into one with an archive like it. */
async function addListed({ folder, say }) {
  const files = settings.indexedFiles;
  const archive = 'archive-00';
  const place = { archive, ...(await repositoryOf({ files, archives: 1, say })) };
  const dataDirectory = await emptyIn(folder, 'index-of-listed');
  const format = await listFormat(dataDirectory);
  const list = () => borg(place.base, ['list', `--format=${format}`, `${place.repository}::${archive}`]);
  await list();
  const bare = (await list()).ms;
  const times = [0, 1].map((number) => add({ dataDirectory, number, place }));
  say(`bare borg list: ${seconds(bare)}; adding it: ${times.map(({ ms }) => seconds(ms)).join(', then ')}`);
  return times.map(({ ms }) => ms / bare);
}

async function emptyIn(folder, name) {
  const dataDirectory = join(folder, name);
  mkdirSync(dataDirectory);
  await bundleIndex(dataDirectory);
  return dataDirectory;
}

async function sizeOf(dataDirectory) {
  const indexes = await openIndexes(dataDirectory);
  const size = (await indexes.sizes()).get(indexed);
  await indexes.close();
  return size;
}

async function timesOf(count, work) {
  const times = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await work(n);
    times.push(performance.now() - began);
  }
  return times;
}

/** Parts of names that one file has, that ten have, that thousands have, and that none has; pages of 50. */
function timesOfSearches(index, files) {
  const texts = [
    (n) => nameOf((n * 7919) % files),
    (n) => nameOf((n * 613) % files).slice(6, 14),
    (n) => `${100 + (n % 900)}.jp`,
    () => 'PHOTO-0',
    (n) => `nothing-like-${n}`,
  ];
  return timesOf(searches, async (n) => {
    const text = texts[n % texts.length](n).toLowerCase();
    const matches = (_, name) => name.toLowerCase().includes(text);
    await index.search({ literal: text, matches, limit: 50, ...(n % 3 === 0 && { deleted: true }) });
  });
}
