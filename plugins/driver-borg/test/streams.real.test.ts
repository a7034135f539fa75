import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BackupDriver, DirectStream, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

const stamp = 'holdfast-sources/test';

describe('an archive with streams', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-streams-'));
  const source = join(folder, 'source');
  let driver: BackupDriver;
  let target: RepositoryTarget;

  beforeAll(async () => {
    driver = await makeDriver(join(folder, 'data'));
    target = {
      uid: 'streams',
      location: join(folder, 'repository'),
      passphrase: 'secret',
      keyFile: null,
      remoteToolPath: null,
    };
    await driver.init(target, { encryption: 'repokey' });
    mkdirSync(source);
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    execFileSync('mkfifo', [join(source, 'pipe')]);
    execFileSync('ln', ['-s', 'pipe', join(source, 'link to pipe')]);
  });
  afterAll(() => stopAndRemove(folder));

  const make = (
    name: string,
    streams: Record<string, (direct: DirectStream | undefined) => AsyncIterable<Buffer>>,
    excludePatterns: string[] = [],
    signal = new AbortController().signal,
  ) =>
    driver.createArchive(
      target,
      {
        name,
        comment: '',
        sources: [source],
        excludePatterns,
        compression: 'lz4',
        customFlags: [],
        streams: Object.entries(streams).map(([path, open]) => ({
          path: `${stamp}/${path}`,
          open: (_signal, direct) => Promise.resolve(open(direct)),
        })),
      },
      { signal },
    );
  const names = async (archive: string) => {
    const found: string[] = [];
    for await (const entries of driver.listEntries(target, { archive }))
      found.push(...entries.map(({ path }) => path));
    return found.map((path) => path.replace(source.slice(1), 'SOURCE'));
  };
  const contents = (archive: string, path: string) =>
    text(driver.readFile(target, { archive, path: `${stamp}/${path}` }));

  it('holds streams of any size beside files, and never waits for pipes of others', async () => {
    const big = Buffer.alloc(3_000_000, 'row\n');
    await make(
      'whole',
      {
        'a small.dump': async function* () {
          yield Buffer.from('small');
        },
        'big.dump': async function* () {
          for (let at = 0; at < 5; at += 1) yield big;
        },
      },
      ['*.dump'],
    );
    expect(await names('whole')).toEqual([
      `${stamp}/a small.dump`,
      `${stamp}/big.dump`,
      'SOURCE',
      'SOURCE/ann.txt',
    ]);
    expect(await contents('whole', 'a small.dump')).toBe('small');
    expect((await contents('whole', 'big.dump')).length).toBe(15_000_000);
  });

  it('names the pipes that it leaves out, if there are any', async () => {
    const said = async (name: string, sources: string[]) => {
      const lines: string[] = [];
      const open = async () => Readable.from([Buffer.from('x')]);
      await driver.createArchive(
        target,
        {
          ...{ name, comment: '', sources, excludePatterns: [], compression: 'lz4', customFlags: [] },
          streams: [{ path: `${stamp}/x.dump`, open }],
        },
        { signal: new AbortController().signal, onLog: ({ text }) => lines.push(text) },
      );
      return lines.filter((line) => line.startsWith('Devices and named pipes'));
    };
    expect(await said('with a pipe', [source])).toEqual([expect.stringContaining(join(source, 'pipe'))]);
    expect(await said('without', [join(source, 'ann.txt')])).toEqual([]);
  });

  it.each([0, 10, 1_000_000])('is not made when a stream fails after %i bytes', async (bytes) => {
    const failing = make(`half ${bytes}`, {
      'half.dump': async function* () {
        if (bytes > 0) yield Buffer.alloc(bytes);
        throw new Error('The server went away.');
      },
    });
    await expect(failing).rejects.toThrow('The server went away.');
    const { value } = await driver.listArchives(target, {});
    expect(value.map(({ name }) => name).filter((name) => name.startsWith('half'))).toEqual([]);
  });

  /** A program that writes to the descriptor itself. Returns its exit code; null: a signal ended it. */
  async function write(direct: DirectStream | undefined, script: string): Promise<number | null> {
    const child = spawn('sh', ['-c', script], { stdio: ['ignore', direct?.to ?? 'ignore', 'inherit'] });
    const [code] = await once(child, 'close');
    return code;
  }

  it('holds the output of a program, then the rest', async () => {
    const seen: unknown[] = [];
    await make('direct', {
      'silent.dump': async function* (direct) {
        await write(direct, 'exit 0');
        seen.push(direct?.lastByte());
        yield Buffer.from('passed on');
      },
      'direct.dump': async function* (direct) {
        seen.push(
          await write(direct, 'head -c 3000000 /dev/zero'),
          direct?.lastByte() === null,
          direct?.isRead(),
        );
        yield Buffer.from('end');
      },
    });
    expect(seen).toEqual([null, 0, false, true]);
    expect(await contents('direct', 'silent.dump')).toBe('passed on');
    expect(await contents('direct', 'direct.dump')).toBe(`${'\0'.repeat(3_000_000)}end`);
  });

  it('is not made when the tool ends before the program that writes', async () => {
    const stop = new AbortController();
    const told: unknown[] = [];
    const failing = make(
      'ended',
      {
        'ended.dump': async function* (direct) {
          const code = write(direct, 'cat /dev/zero');
          stop.abort();
          told.push(await code, direct?.isRead());
          yield Buffer.of();
        },
      },
      [],
      stop.signal,
    );
    await expect(failing).rejects.toThrow();
    expect(told).toEqual([128 + constants.signals.SIGPIPE, false]);
  });

  it('holds streams beside data of another host', async () => {
    const host = {
      name: 'ann@nas',
      toolPath: null,
      run: (command: readonly string[]) => Promise.resolve(processOf(command)),
    };
    const pulled = await driver.pullArchive?.(target, {
      name: 'pulled',
      comment: '',
      sources: [source],
      excludePatterns: [],
      compression: 'lz4',
      customFlags: [],
      host,
      way: 'tool',
      streams: [
        {
          path: `${stamp}/${'long '.repeat(40)}.dump`,
          open: () =>
            Promise.resolve(
              (async function* () {
                yield Buffer.from('from there');
              })(),
            ),
        },
      ],
    });
    expect(pulled?.value.way).toBe('tar');
    expect((await names('pulled')).sort()).toEqual([
      'SOURCE',
      'SOURCE/ann.txt',
      'SOURCE/link to pipe',
      'SOURCE/pipe',
      `${stamp}/${'long '.repeat(40)}.dump`,
    ]);
    expect(await contents('pulled', `${'long '.repeat(40)}.dump`)).toBe('from there');
  });
});

function processOf([program = '', ...args]: readonly string[]) {
  const child = spawn(program, args);
  const exit = once(child, 'close').then(([code]) => ({ code, signal: null }));
  return { stdin: child.stdin, stdout: child.stdout.pipe(new PassThrough()), stderr: child.stderr, exit };
}
