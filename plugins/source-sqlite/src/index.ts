import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { definePlugin } from '@holdfast/plugin-api';
import {
  type CommandHost,
  freeBytes,
  hasProgram,
  linesOf,
  outputOf,
  type Source,
  type SourceSettings,
} from '@holdfast/plugin-api/source';
import { z } from 'zod';

const scratch = '/var/tmp';
const reserve = 64 * 1024 * 1024;
/** How long it waits for a writer. Milliseconds. */
const busyMs = 60_000;

/** Prints the files that match, each with a NUL: patterns may contain spaces. */
const expand =
  'IFS=; for pattern; do for file in $pattern; do [ -f "$file" ] && printf "%s\\0" "$file"; done; done; :';

/** `$1` is the database, `$2` a new file. The copy is removed once it is read. */
const copy = [
  'set -e; mkdir -p -m 700 -- "$(dirname -- "$2")"',
  `sqlite3 -readonly -bail "$1" ".timeout ${busyMs}" ".backup '$2'"`,
  'result=$(sqlite3 "$2" "PRAGMA integrity_check")',
  '[ "$result" = ok ] || { printf "%s\\n" "$result" >&2; exit 1; }',
  'exec 3<"$2"; rm -f -- "$2"; exec cat <&3',
].join('; ');

/** `$1` gets what standard input holds, if it is a sound database. With `$2`, an existing one is replaced. */
const restore = [
  'set -e; umask 077; new=$1.holdfast-new',
  'trap \'rm -f -- "$new"\' EXIT; cat >"$new"',
  'result=$(sqlite3 "$new" "PRAGMA integrity_check")',
  '[ "$result" = ok ] || { printf "The dump is damaged\\n" >&2; exit 1; }',
  '[ "$2" = replace ] || [ ! -e "$1" ] || { printf "%s exists\\n" "$1" >&2; exit 1; }',
  'if [ -e "$1" ]; then chown --reference="$1" -- "$new"; chmod --reference="$1" -- "$new"; fi',
  'rm -f -- "$1-wal" "$1-shm" "$1-journal"; mv -f -- "$new" "$1"; trap - EXIT',
].join('; ');

const likely = ['/home', '/opt', '/root', '/srv', '/var/lib', '/var/www'];
const findThem = [
  'for folder; do [ -d "$folder" ] && find "$folder" -xdev -maxdepth 6 -type f -size +3k',
  "\\( -name '*.sqlite' -o -name '*.sqlite3' -o -name '*.db' \\) -print0 2>/dev/null; done | head -c 200000",
].join(' ');
const hasMark = '[ "$(head -c 15 -- "$1")" = "SQLite format 3" ]';
const isDatabase = async (host: CommandHost, file: string) =>
  (await host.run({ argv: ['sh', '-c', hasMark, 'sh', file] })).code === 0;

async function filesOf(settings: SourceSettings, host: CommandHost): Promise<string[]> {
  const patterns = linesOf(settings.files);
  const relative = patterns.find((pattern) => !pattern.startsWith('/'));
  if (relative !== undefined) throw new Error(`${relative} must be an absolute path.`);
  const argv = ['sh', '-c', expand, 'sh', ...patterns];
  const found = await outputOf(host, { argv }, 'The database files could not be listed');
  const files = [...new Set(found.split('\0'))].filter(
    (file) => file !== '' && !/-(wal|shm|journal)$/.test(file),
  );
  for (const file of files)
    if (!(await isDatabase(host, file)))
      throw new Error(`${file} is not a SQLite database: correct the paths.`);
  if (files.length === 0) throw new Error(`No file matches ${patterns.join(', ')}: correct the paths.`);
  return files;
}

async function assertRoom(host: CommandHost, files: readonly string[]): Promise<string> {
  const argv = ['stat', '-c', '%s', '--', ...files];
  const sizes = await outputOf(host, { argv }, 'The database files could not be read');
  const largest = Math.max(...sizes.trim().split('\n').map(Number));
  const free = await freeBytes(host, scratch);
  if (free !== null && free < largest + reserve)
    throw new Error(
      `The largest database has ${inMb(largest)} MB, but ${scratch} on ${host.name} has only ${inMb(free)} MB free: free some space.`,
    );
  return `${files.length} files, the largest with ${inMb(largest)} MB.`;
}

const inMb = (bytes: number) => Math.ceil(bytes / 1_000_000);

const names = `SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`;

/** SQLite databases. Each is copied with SQLite's online backup, checked, and read once. */
const sqlite: Source = {
  title: 'SQLite',
  fields: [
    {
      name: 'files',
      label: 'Database files',
      kind: 'lines',
      required: true,
      example: '/srv/app/data/*.db',
      help: 'Absolute paths, one per line. * and ? match within a name.',
    },
  ],
  async find({ host }) {
    const { stdout } = await host.run({ argv: ['sh', '-c', findThem, 'sh', ...likely] });
    const found = stdout
      .split('\0')
      .filter((file) => file !== '')
      .slice(0, 200);
    const are = await Promise.all(found.map((file) => isDatabase(host, file)));
    return found
      .filter((_, at) => are[at])
      .map((file) => ({ name: file, settings: { files: file.replaceAll(/[[*?]/g, '[$&]') } }));
  },
  async check(settings, { host }) {
    if (!(await hasProgram(host, 'sqlite3')))
      return [
        { status: 'failed', text: `${host.name} has no sqlite3.`, advice: 'Install the package sqlite3.' },
      ];
    try {
      return [{ status: 'ok', text: await assertRoom(host, await filesOf(settings, host)) }];
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, { host, token, record }) {
    if (!(await hasProgram(host, 'sqlite3')))
      throw new Error(`${host.name} has no sqlite3: install the package sqlite3.`);
    const files = await filesOf(settings, host);
    await assertRoom(host, files);
    const folder = join(scratch, token);
    await record({ folder });
    return {
      excludes: files.flatMap((file) => ['', '-wal', '-shm', '-journal'].map((end) => `pf:${file}${end}`)),
      dumps: files.map((file, at) => ({
        name: file,
        open: (signal) =>
          host.open({ argv: ['sh', '-c', copy, 'sh', file, join(folder, `${at}.db`)] }, signal),
      })),
    };
  },
  async release(_settings, { folder }, { host }) {
    if (typeof folder !== 'string' || !folder.startsWith(`${scratch}/holdfast-`)) return;
    const argv = ['rm', '-rf', '--', folder];
    await outputOf(host, { argv }, `${folder} could not be removed`);
  },
  async restore(_settings, dump, { into, replace }, { host }) {
    const file = into.startsWith('/') ? into : join(dirname(dump.name), into);
    if (!file.startsWith('/'))
      throw new Error(`The folder of ${dump.name} is not known: give an absolute path.`);
    const argv = ['sh', '-c', restore, 'sh', file, replace ? 'replace' : 'new'];
    await outputOf(host, { argv, input: dump.open() }, `${file} was not restored`);
    return { text: `${file} was restored, and its integrity check passed.` };
  },
  async prove(_settings, dump, { host, folder }) {
    const file = join(folder, 'database');
    await pipeline(dump.open(), createWriteStream(file, { mode: 0o600 }));
    const ask = (sql: string) =>
      outputOf(host, { argv: ['sqlite3', file, sql] }, 'The dump could not be opened');
    const integrity = (await ask('PRAGMA integrity_check')).trim();
    if (integrity !== 'ok') return { passed: false, text: `Integrity check: ${integrity.slice(0, 300)}` };
    const tables = (await ask(names)).split('\n').filter((name) => name !== '');
    let rows = 0;
    for (const table of tables) rows += Number(await ask(`SELECT count(*) FROM ${table}`));
    return { passed: true, text: 'Its integrity check passed.', tables: tables.length, rows };
  },
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => sqlite });
