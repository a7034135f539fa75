import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '../../src/backup/archives/download/tar-entries.js';
import { outermost, zipName } from '../../src/backup/archives/download/zip-name.rules.js';
import { zipOf } from '../../src/backup/archives/download/zip-of-tar.js';

let folder: string;
const longName = `${'long-'.repeat(40)}.txt`;
const content = randomBytes(700_000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'));
  const at = (name: string) => join(folder, 'd', name);
  mkdirSync(at('sub'), { recursive: true, mode: 0o750 });
  writeFileSync(at('empty'), '', { mode: 0o600 });
  writeFileSync(at('text'), 'text '.repeat(400), { mode: 0o644 });
  writeFileSync(at('ümläut'), 'u');
  writeFileSync(at(`sub/${longName}`), 'long');
  writeFileSync(at('sub/large'), content);
  writeFileSync(at('back\\slash'), 'y');
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/d/f`), Buffer.from([0xff])]), 'not UTF-8');
  linkSync(at('text'), at('zweiter'));
  symlinkSync('../x', at('link'));
  execFileSync('mkfifo', [at('pipe')]);
  utimesSync(at('text'), 1_893_456_000, 1_893_456_000);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tarOf = (format: string, ...more: string[]): Buffer =>
  execFileSync('tar', ['-c', `--format=${format}`, '--sort=name', ...more, '-f', '-', 'd'], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
const inPieces = (bytes: Buffer, size = 1_000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );

/** What Python's zipfile, which checks the sums, reads: names, Unix modes and contents. */
async function read(zip: Readable): Promise<[string, string, string][]> {
  const file = join(folder, 'read.zip');
  writeFileSync(file, await buffer(zip));
  const script =
    'import sys,json,zipfile\n' +
    'z=zipfile.ZipFile(sys.argv[1])\n' +
    'print(json.dumps([[i.filename,oct(i.external_attr>>16),z.read(i).hex()] for i in z.infolist()]))';
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync('python3', ['-c', script, file], options));
}
const hex = (text: string | Buffer) => Buffer.from(text).toString('hex');

describe('a zip of a tar stream', () => {
  it.each(['gnu', 'pax'])(
    'has files, folders and symlinks, and notes about the rest (%s)',
    async (format) => {
      const bytes = tarOf(format);
      for (const size of [7, 512, 100_000]) {
        const entries = await read(zipOf(inPieces(bytes, size)));
        const found = Object.fromEntries(entries.map(([name, mode, text]) => [name, [mode, text]]));
        expect(found).toMatchObject({
          'd/sub/': ['0o40750', ''],
          'd/empty': ['0o100600', ''],
          'd/text': ['0o100644', hex('text '.repeat(400))],
          'd/ümläut': ['0o100644', hex('u')],
          [`d/sub/${longName}`]: ['0o100644', hex('long')],
          'd/sub/large': ['0o100644', hex(content)],
          'd/back%5Cslash': ['0o100644', hex('y')],
          'd/f%FF': ['0o100644', hex('not UTF-8')],
          'd/link': ['0o120777', hex('../x')],
        });
        expect(entries).toHaveLength(11);
        const [name, , text = ''] = entries.at(-1) ?? [];
        expect(name).toBe('holdfast-notes.txt');
        const notes = Buffer.from(text, 'hex').toString();
        expect(notes).toContain('"d/zweiter"  ->  "d/text"');
        expect(notes).toContain('"d/pipe"\n');
        expect(notes).toContain('"d/back\\\\slash"  ->  "d/back%5Cslash"');
        expect(notes).toContain('"d/f\\\\udcff"  ->  "d/f%FF"');
      }
    },
  );

  it('has no notes for a complete copy, and keeps times', async () => {
    const bytes = tarOf('gnu', '--no-recursion', '--transform=s,^d$,d/text,', 'd/empty').subarray();
    expect((await read(zipOf(inPieces(bytes)))).map(([name]) => name)).toContain('d/empty');
    const times = [];
    for await (const entry of entriesOf(inPieces(tarOf('pax'))))
      if (entry.path === 'd/text') times.push(entry.mtime);
    expect(times).toEqual([new Date('2030-01-01T00:00:00Z')]);
  });

  it('never leads out of its folder', async () => {
    const bytes = tarOf('gnu', '-P', '--transform=s,^d/empty,/../../etc/x,');
    const names = (await read(zipOf(inPieces(bytes)))).map(([name]) => name);
    expect(names).toContain('%2E%2E/%2E%2E/etc/x');
  });

  it.each([0, 600, 3_000, 200_000])('fails with the tar stream after %i bytes', async (size) => {
    const bytes = tarOf('gnu');
    const failing = Readable.from(
      (async function* () {
        yield bytes.subarray(0, size);
        throw new Error('the tool failed');
      })(),
    );
    await expect(buffer(zipOf(failing))).rejects.toThrow('the tool failed');
  });

  it('fails for a truncated or invalid tar stream', async () => {
    const bytes = tarOf('gnu');
    for (const size of [0, 512, 100_000, bytes.length - 10_240]) {
      await expect(buffer(zipOf(inPieces(bytes.subarray(0, size))))).rejects.toThrow('cut off');
    }
    await expect(buffer(zipOf(inPieces(randomBytes(2_000))))).rejects.toThrow('tar stream');
  });

  it('follows the pace of its reader and closes the tar stream when destroyed', async () => {
    const tar = new PassThrough();
    let written = 0;
    tar.setMaxListeners(0);
    const bytes = tarOf('gnu');
    const header = bytes.subarray(0, 512);
    // One file of 100 MB.
    header.write('00575360400\0', 124, 'latin1');
    header.write('0', 156, 'latin1');
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    tar.write(header);
    const noise = randomBytes(65_536);
    const zip = zipOf(tar);
    await once(zip, 'readable');
    // Until nothing is taken any more.
    while (tar.write(noise) || (await Promise.race([once(tar, 'drain'), quiet()]))) written += noise.length;
    expect(written).toBeLessThan(80_000_000);
    zip.destroy();
    await once(tar, 'close');
  });
});

/** False after a while. */
const quiet = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 200));

describe('names in a zip', () => {
  it.each([
    ['a/b c/ü', 'a/b c/ü'],
    ['/etc/passwd', 'etc/passwd'],
    ['a//b/', 'a/b'],
    ['./a', '%2E/a'],
    ['a/../b', 'a/%2E%2E/b'],
    ['f\udcff\udcfe', 'f%FF%FE'],
    ['a\nb', 'a%0Ab'],
    ['100%', '100%'],
    ['/', ''],
  ])('turns %j into %j', (name, expected) => expect(zipName(name)).toBe(expected));
});

it('keeps only the outermost of nested choices', () => {
  expect(outermost(['a/b', 'a', 'ab', 'c/d/e', 'c/d', 'a'])).toEqual(['a', 'ab', 'c/d']);
  expect(outermost(['a', ''])).toEqual(['']);
});
