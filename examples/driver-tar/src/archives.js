import { Readable } from 'node:stream';
import { bytesOfName, DriverError } from '@holdfast/plugin-api/driver';
import { linesOf, listingFlags, parseLine } from './listing.js';
import { archivesOf, fileName, openFolder } from './repository.js';
import { runTool, startTool } from './tool.js';

const here = 'folder=$1; shift; cd -- "$folder" || exit 2\n';
const scripts = {
  list: `${here} for file in *.json; do [ ! -e "$file" ] || { cat -- "$file"; echo; }; done`,
  info: `${here} [ -e "$1.json" ] || exit 78; exec cat -- "$1.json"`,
  entries: `${here} name=$1; shift; [ -e "$name.json" ] || exit 78; exec tar --list --gzip --file "$PWD/$name.tar.gz" "$@"`,
  read: `${here} [ -e "$1.json" ] || exit 78
exec tar --extract --gzip --file "$PWD/$1.tar.gz" --to-stdout --no-recursion --no-unquote --null --files-from=- <&3`,
  remove: `${here} for name in "$@"; do
  if rm -- "$name.json" 2>/dev/null; then rm -f -- "$name.tar.gz"; echo deleted; else echo missing; fi; done`,
  compact: `${here} exec find . -maxdepth 1 -name '*.partial' -printf '%s\\n' -delete`,
};

async function workOn(target, script, { parameters = [], lock = 'shared' } = {}) {
  const folder = await openFolder(target);
  return { script: scripts[script], parameters: [archivesOf(folder), ...parameters], folder, lock };
}

/**
 * @param {any} facts the content of the archive's `.json`
 * @returns {import('@holdfast/plugin-api/driver').ArchiveSummary}
 */
const summaryOf = ({ stats, commandLine, ...summary }) => summary;

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['listArchives']} */
export async function listArchives(target, _, options) {
  const text = await runTool(await workOn(target, 'list'), options);
  const archives = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  archives.sort((a, b) => a.start - b.start || a.end - b.end);
  return { value: archives.map(summaryOf), warnings: [] };
}

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['archiveInfo']} */
export async function archiveInfo(target, { archive }, options) {
  const work = await workOn(target, 'info', { parameters: [fileName(archive)] });
  const facts = JSON.parse(await runTool(work, options));
  const duration = (facts.end - facts.start) / 1000;
  return { value: { ...facts, duration, chunkerParams: [], maxArchiveSizeUsed: null }, warnings: [] };
}

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['listEntries']} */
export async function* listEntries(target, { archive }, options) {
  const work = await workOn(target, 'entries', { parameters: [fileName(archive), ...listingFlags] });
  const tool = await startTool(work, options);
  try {
    for await (const lines of linesOf(tool.output)) yield lines.map(entryOf);
  } finally {
    // A reader that leaves the loop early wants no more.
    if (!tool.output.readableEnded) tool.stop();
    await tool.ended();
  }
  const error = await tool.ended();
  if (error) throw error;
}

function entryOf(line) {
  const entry = parseLine(line);
  if (entry) return entry;
  throw new DriverError('failed', `This line of tar's listing can't be read: ${line.slice(0, 200)}`);
}

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['readFile']} */
export function readFile(target, { archive, path }, options = {}) {
  const leaving = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  async function* content() {
    const tool = await startTool(await workOn(target, 'read', { parameters: [fileName(archive)] }), {
      ...options,
      signal,
    });
    tool.feed(Buffer.concat([bytesOfName(path), Buffer.from([0])]));
    yield* tool.output;
    const error = await tool.ended();
    if (error) throw error;
  }
  return Readable.from(content(), { objectMode: false }).once('close', () => leaving.abort());
}

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['deleteArchives']} */
export async function deleteArchives(target, { archives }, options) {
  const names = [...new Set(archives)];
  const work = await workOn(target, 'remove', { parameters: names.map(fileName), lock: 'exclusive' });
  const answers = (await runTool(work, options)).split('\n');
  const those = (answer) => names.filter((_, index) => answers[index] === answer);
  return { value: { deleted: those('deleted'), missing: those('missing') }, warnings: [] };
}

/** Removes what interrupted backups left. @type {import('@holdfast/plugin-api/driver').BackupDriver['compact']} */
export async function compact(target, _, options) {
  const sizes = await runTool(await workOn(target, 'compact', { lock: 'exclusive' }), options);
  const freedBytes = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0);
  return { value: { freedBytes }, warnings: [] };
}
