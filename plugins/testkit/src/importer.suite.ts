import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import {
  type ImportEnvironment,
  type Importer,
  type ImportFile,
  type ImportReading,
  importReading,
  type LeavingRepository,
  writtenFiles,
} from '@holdfast/plugin-api/importer';
import { type ConformanceCase, conformanceCase, LeftOut, offered } from './case.js';

export interface ImporterSuiteOptions {
  open(): Promise<{ importer: Importer; close(): Promise<void> }>;
  /** Files of the other tool, with a repository and what is to become settings. */
  files?: readonly ImportFile[];
  answers?: ImportEnvironment['answers'];
  /** Secrets in the files and answers. */
  secrets?: readonly string[];
  /** Keys of options in the files that settings can't express, so that less would be saved, kept or told. */
  losses?: readonly string[];
  /** What is wrong with an object of a section of a settings document; null: nothing. */
  problemOf?(section: string, value: Record<string, unknown>): string | null;
  /** How long it may take for each answer. Milliseconds. */
  longest?: number;
}

type Suite = Required<ImporterSuiteOptions>;
type Check = (read: ReturnType<typeof readerOf>, suite: Suite, importer: Importer) => Promise<void>;

const size = 64 * 1024;
const hostile: Record<string, string> = {
  'an empty file': '',
  'random bytes': Array.from({ length: 4_096 }, (_, at) => String.fromCharCode((at * 7_919) % 256)).join(''),
  'invalid characters': '\0\ufffe\ud800\u202e'.repeat(1_000),
  'one long line': 'a'.repeat(size),
  'many lines': 'a: 1\n'.repeat(size / 5),
  'unclosed lists': '['.repeat(size),
  'unclosed maps': '{"a":'.repeat(size / 5),
  'unclosed quotes': '"${'.repeat(size / 3),
  'an alias to itself': 'a: &a [*a]\n',
};

const checks: Record<string, Check> = {
  'finds repositories, and returns valid settings': async (read, { problemOf }) => {
    const { found, reading } = await settled(read);
    const settings = reading.files.flatMap((file) => file.settings);
    const ids = found.flatMap(({ repositories }) => repositories.map(({ id }) => id));
    assert.ok(ids.length > 0, 'no repository was found');
    assert.ok(settings.length > 0, 'there are no settings');
    for (const { section, value } of settings) assert.equal(problemOf(section, value), null, section);
    for (const id of ids) assert.ok(JSON.stringify(settings).includes(id), 'a repository has no settings');
  },
  'returns the same result for the same files, and does not change its input': async (read, { files }) => {
    const given = frozen(structuredClone(files));
    assert.deepEqual(await read(given), await read(given));
  },
  'gives a reason for each changed or omitted option, and names each loss': async (read, { losses }) => {
    const { files } = await read();
    const lines = files.flatMap(({ report }) => report);
    assert.ok(lines.length > 0, 'the report is empty');
    for (const { result, why, option } of lines)
      assert.equal(why === null, result === 'taken', `${option.key} is ${result}`);
    const lost = lines.filter(({ result }) => result === 'lost').map(({ option }) => option.key);
    assert.deepEqual(
      [...losses].filter((key) => !lost.includes(key)),
      [],
    );
  },
  'reads only the files that it is given': async (read, { files }) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-importer-'));
    try {
      const moved = files.map(({ name, content }) => ({ name: join(folder, basename(name)), content }));
      const before = await read(moved);
      const named = moved.map(({ name }) => name).concat(before.needs.map(({ name }) => name));
      for (const path of named.filter((name) => resolve(name).startsWith(folder + sep))) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, 'a file that nobody may read\n');
      }
      assert.deepEqual(await read(moved), before);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  'shows users no secret, and lists the secrets in the settings': async (read, { secrets }) => {
    const { reading } = await settled(read);
    const { files, needs, unreadable } = reading;
    const shown = JSON.stringify([files.map(({ report, base }) => [report, base]), needs, unreadable]);
    const hidden = JSON.stringify(files.map(({ repositories, settings }) => [repositories, settings]));
    for (const secret of secrets) {
      assert.ok(!shown.includes(secret), 'a secret is in the report');
      const isListed = reading.secrets.some((text) => text.includes(secret));
      assert.ok(isListed || !hidden.includes(secret), 'a secret of the settings is not listed');
    }
  },
  'reads a truncated file, or reports it': async (read, { files }) => {
    for (const part of [0.2, 0.5, 0.9])
      await read(
        files.map(({ name, content }) => ({ name, content: content.slice(0, content.length * part) })),
      );
  },
  ...Object.fromEntries(
    Object.entries(hostile).map(([what, content]): [string, Check] => [
      `reads ${what}, or reports it`,
      async (read) => void (await read([{ name: '/etc/other-tool/config', content }])),
    ]),
  ),
  'writes files that it can read back, with secrets only if requested': async (read, _, importer) => {
    offered(importer.write, 'write');
    for (const secrets of [false, true]) {
      const given = [leaving, { ...leaving, path: '/backups/other' }].map((each) =>
        secrets ? each : { ...each, passphrase: null },
      );
      const { files } = writtenFiles.parse(await importer.write?.(given, { secrets }));
      assert.equal(new Set(files.map(({ name }) => name)).size, files.length, 'two files have one name');
      assert.equal(JSON.stringify(files).includes('open sesame'), secrets);
      const reading = await read(files.map(({ name, content }) => ({ name: `/etc/${name}`, content })));
      const places = reading.files.flatMap(({ repositories }) => repositories.map(({ place }) => place));
      assert.deepEqual(
        places,
        given.map(({ path }) => ({ kind: 'local', path })),
      );
    }
  },
};

/** Conformance cases for an importer. Without `files`, those about the meaning of files are left out. */
export const importerSuite = ({ open, ...given }: ImporterSuiteOptions): ConformanceCase[] => {
  const suite = {
    open,
    files: [],
    answers: [],
    secrets: [],
    losses: [],
    problemOf: () => null,
    longest: 20_000,
    ...given,
  };
  return Object.entries(checks).map(([name, check]) =>
    conformanceCase(name, async () => {
      const { importer, close } = await open();
      try {
        await check(readerOf(importer, suite), suite, importer);
      } finally {
        await close();
      }
    }),
  );
};

/** Reads within a time limit, and checks the form of the answer. Default: the files of the suite. */
const readerOf =
  (importer: Importer, { files, answers, longest }: Suite) =>
  async (given = files, found: ImportEnvironment['found'] = null): Promise<ImportReading> => {
    if (given.length === 0) throw new LeftOut('The suite was given no files.');
    const environment = { takeOver: true, cron: '0 2 * * *', timezone: 'UTC', answers, verdicts: [], found };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new assert.AssertionError({ message: 'it does not answer' })), longest);
    });
    const answer = Promise.resolve().then(() => importer.read(given, frozen(environment)));
    const said = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
    const reading = importReading.parse(JSON.parse(JSON.stringify(said)));
    if (reading.unreadable === null)
      assert.equal(reading.files.length, given.length, 'one answer for each file');
    return reading;
  };

/** As the service goes on when it has found every repository. */
async function settled(read: ReturnType<typeof readerOf>) {
  const { files, unreadable } = await read();
  assert.equal(unreadable, null);
  const found = files.map(({ base, repositories }, file) => ({
    base,
    repositories: repositories.map(({ name }, position) => ({
      position,
      name,
      path: `/${file}/${position}`,
      id: `${file}${position}`.padEnd(64, 'e'),
      encryption: 'repokey',
      connection: null,
      isFull: false,
      leftOut: [],
    })),
  }));
  return { found, reading: await read(undefined, found) };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const leaving: LeavingRepository = {
  name: 'home',
  path: '/backups/home',
  encryption: 'repokey',
  compression: 'lz4',
  remote_path: null,
  source_directories: ['/home'],
  exclude_patterns: ['*.tmp'],
  sources: [],
  flags: ['--one-file-system'],
  isObserved: false,
  isRemote: false,
  isPulled: false,
  otherSchedules: 0,
  schedule: null,
  check: null,
  hooks: [],
  channels: [],
  passphrase: 'open sesame',
};
