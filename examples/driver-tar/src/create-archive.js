import { lstat } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { DriverError } from '@holdfast/plugin-api/driver';
import { linesOf, listingFlags, parseLine } from './listing.js';
import { archivesOf, fileName, newId, openFolder } from './repository.js';
import { startTool } from './tool.js';

/**
 * An archive exists once its `.json` does, which is written last. Its content is known only when tar has ended, so it
 * is fed then, while the script still holds the lock.
 */
const script = `
folder=$1 name=$2; shift 2
cd -- "$folder" && rm -f -- *.partial || exit 2
[ ! -e "$name.json" ] || exit 76
tar --create --gzip --file "$PWD/$name.partial" "$@"
code=$?
[ $code -le 1 ] || { rm -f -- "$name.partial"; exit $code; }
echo "written $(stat -c %s "$name.partial")"
cat <&3 > "$name.json.partial"
[ -s "$name.json.partial" ] || exit 77
sync -- "$name.partial" "$name.json.partial" &&
mv -- "$name.partial" "$name.tar.gz" && mv -- "$name.json.partial" "$name.json"`;

const flags = [...listingFlags, '--format=posix', '--ignore-failed-read', '--directory=/'];
const harmlessFlags = [
  '--one-file-system',
  '--sparse',
  '--exclude-caches',
  '--exclude-vcs',
  '--exclude-backups',
];

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['checkCustomFlags']} */
export const checkCustomFlags = (given) =>
  given
    .filter((flag) => !harmlessFlags.includes(flag))
    .map(
      (flag) => `The flag ${flag.split('=')[0]} is not allowed. Allowed flags: ${harmlessFlags.join(', ')}.`,
    );

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['createArchive']} */
export async function createArchive(target, input, options = {}) {
  const folder = await openFolder(target);
  const { sources, warnings } = await existing(input.sources);
  const excludes = input.excludePatterns.map((pattern) => `--exclude=${pattern.replace(/^\//, '')}`);
  const args = [...flags, ...excludes, ...input.customFlags, '--', ...sources.map(relative)];
  const parameters = [archivesOf(folder), fileName(input.name), ...args];
  const start = Date.now();
  const tool = await startTool({ script, parameters, folder, lock: 'exclusive' }, options);
  const count = new Count(options.onProgress);
  let archive = null;
  for await (const lines of linesOf(tool.output)) {
    for (const line of lines) {
      const [, written] = /^written (\d+)$/.exec(line) ?? [];
      if (written === undefined) count.add(parseLine(line));
      else {
        const stats = count.stats(Number(written));
        archive = { ...summary(input, start), stats, commandLine: ['tar', ...args] };
        tool.feed(JSON.stringify(archive));
      }
    }
  }
  const error = await tool.ended();
  if (error || !archive) throw error ?? new DriverError('failed', 'tar did not finish.');
  const { stats, commandLine, ...facts } = archive;
  const value = { archive: facts, stats, repositoryStoredSize: null };
  return { value, warnings: [...warnings, ...tool.warnings] };
}

const relative = (source) => source.replace(/^\/+/, '') || '.';

async function existing(sources) {
  const there = await Promise.all(sources.map((path) => lstat(path).then(Boolean, () => false)));
  const warnings = sources.filter((_, index) => !there[index]).map((path) => `${path} does not exist.`);
  if (warnings.length === sources.length)
    throw new DriverError('path_missing', 'None of the sources exists.');
  return { sources: sources.filter((_, index) => there[index]), warnings };
}

const summary = ({ name, comment }, start) => ({
  id: newId(),
  name,
  start,
  end: Date.now(),
  comment,
  hostname: hostname(),
  username: userInfo().username,
});

class Count {
  #size = 0;
  #files = 0;
  #reportedAt = 0;
  #onProgress;

  constructor(onProgress) {
    this.#onProgress = onProgress;
  }

  /** Reports at most four times a second. */
  add(entry) {
    if (!entry) return;
    if (entry.type === 'file') this.#files += 1;
    this.#size += entry.size;
    if (performance.now() - this.#reportedAt < 250 && this.#reportedAt > 0) return;
    this.#reportedAt = performance.now();
    this.#onProgress?.({ currentPath: entry.path, originalSize: this.#size, files: this.#files });
  }

  stats(written) {
    return {
      originalSize: this.#size,
      compressedSize: written,
      deduplicatedSize: written,
      files: this.#files,
    };
  }
}
