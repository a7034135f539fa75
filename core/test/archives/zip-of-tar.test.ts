import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outermost, zipName } from '../../src/archives/download/zip-name.rules.js';
import { zipOf } from '../../src/archives/download/zip-of-tar.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What Python's zipfile, which checks the sums, reads: names, Unix modes and contents. */
async function read(zip: Readable): Promise<[string, string, string][]> {
  const file = join(folder, 'read.zip');
  writeFileSync(file, await buffer(zip));
  const script =
    'import sys,json,zipfile\n' +
    'z=zipfile.ZipFile(sys.argv[1])\n' +
    'print(json.dumps([[i.filename,oct(i.external_attr>>16),z.read(i).decode("latin1")[:2000]] for i in z.infolist()]))';
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }));
}

const mtime = new Date(Date.UTC(2029, 0, 1));

describe('a zip of a tar stream', () => {
  it('has the files, folders and symlinks, and notes about the rest', async () => {
    const tar = pack();
    tar.entry({ name: 'd/', type: 'directory', mode: 0o750, mtime });
    tar.entry({ name: 'd/empty', mode: 0o600, mtime }, '');
    tar.entry({ name: 'd/text', mode: 0o644, mtime }, 'text '.repeat(400));
    tar.entry({ name: 'd/ümläut', mtime }, 'u');
    tar.entry({ name: 'd/link', type: 'symlink', linkname: '../x', mtime });
    tar.entry({ name: 'd/second', type: 'link', linkname: 'd/text', mtime });
    tar.entry({ name: 'd/pipe', type: 'fifo', mtime });
    tar.entry({ name: '../../etc/cron.d/x', mtime }, 'x');
    tar.entry({ name: 'd/back\\slash', mtime }, 'y');
    tar.finalize();
    const entries = await read(zipOf(Readable.from(tar, { objectMode: false })));
    expect(entries.slice(0, -1)).toEqual([
      ['d/', '0o40750', ''],
      ['d/empty', '0o100600', ''],
      ['d/text', '0o100644', 'text '.repeat(400)],
      [Buffer.from('d/ümläut').toString(), '0o100644', 'u'],
      ['d/link', '0o120644', '../x'],
      ['%2E%2E/%2E%2E/etc/cron.d/x', '0o100644', 'x'],
      ['d/back%5Cslash', '0o100644', 'y'],
    ]);
    const [name, , text = ''] = entries.at(-1) ?? [];
    expect(name).toBe('holdfast-notes.txt');
    expect(text).toContain('"d/second"  ->  "d/text"');
    expect(text).toContain('"d/pipe"  ->  "fifo"');
    expect(text).toContain('"d/back\\\\slash"  ->  "d/back%5Cslash"');
  });

  it('has no notes when everything is as in the archive', async () => {
    const tar = pack();
    tar.entry({ name: 'a', mtime }, 'a');
    tar.finalize();
    expect((await read(zipOf(Readable.from(tar)))).map(([name]) => name)).toEqual(['a']);
  });

  it('fails with the tar stream, before and after its first entry', async () => {
    const early = Readable.from(
      (async function* () {
        yield Buffer.alloc(0);
        throw new Error('the tool failed');
      })(),
    );
    await expect(buffer(zipOf(early))).rejects.toThrow('the tool failed');
    const tar = pack();
    tar.entry({ name: 'a', mtime }, 'a'.repeat(2000));
    const late = Readable.from(
      (async function* () {
        for await (const piece of tar) {
          yield piece as Buffer;
          if ((piece as Buffer).length > 500) throw new Error('the tool failed later');
        }
      })(),
    );
    await expect(buffer(zipOf(late))).rejects.toThrow('the tool failed later');
  });

  it('fails when the tar stream ends in the middle of a file', async () => {
    const whole = pack();
    whole.entry({ name: 'a', mtime }, Buffer.alloc(100_000));
    whole.finalize();
    const bytes = await buffer(whole as unknown as Readable);
    await expect(buffer(zipOf(Readable.from([bytes.subarray(0, 50_000)])))).rejects.toThrow();
  });

  it('reads no faster than it is read, and lets go of the tar stream when it is destroyed', async () => {
    const tar = new PassThrough();
    const whole = pack();
    whole.entry({ name: 'a', size: 100_000_000, mtime });
    let written = 0;
    tar.setMaxListeners(0);
    const header = (await once(whole as unknown as Readable, 'readable').then(() => whole.read())) as Buffer;
    tar.write(header);
    const noise = randomBytes(65_536);
    const zip = zipOf(tar);
    await once(zip, 'readable');
    // Until nothing is taken any more.
    while (tar.write(noise) || (await Promise.race([once(tar, 'drain'), once(zip, 'end'), quiet()])))
      written += noise.length;
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
  ])('%j becomes %j', (name, expected) => expect(zipName(name)).toBe(expected));
});

it('of nested choices the outermost stay', () => {
  expect(outermost(['a/b', 'a', 'ab', 'c/d/e', 'c/d', 'a'])).toEqual(['a', 'ab', 'c/d']);
  expect(outermost(['a', ''])).toEqual(['']);
});
