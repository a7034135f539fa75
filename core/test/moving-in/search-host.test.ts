import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { RemoteHostError } from '../../src/foundation/kernel/index.js';
import type { RemoteAccount, RemoteEntry, RemoteHost } from '../../src/foundation/ports/remote-host.js';
import { searchHost } from '../../src/migration/moving-in/search-host.js';
import { type FoundRepository, newTally, walkLimits } from '../../src/migration/moving-in/walk.rules.js';

const id = '0123456789abcdef'.repeat(4);
const config = `[repository]\nversion = 1\nid = ${id}\nkey = abc\n`;
const record = (path: string, text = config) => [
  'f',
  path,
  '1700000000',
  'd',
  text,
  'This is a Borg Backup repository',
];
const bytes = (...fields: string[]) => Buffer.from(fields.map((field) => `${field}\0`).join(''), 'latin1');

function answering(output: Buffer, { stderr = '', end = true } = {}): Pick<RemoteHost, 'run'> {
  return {
    async run() {
      const stdout = new PassThrough();
      stdout.write(output);
      if (end) stdout.end();
      const errors = new PassThrough();
      errors.end(stderr);
      await new Promise((resolve) => setImmediate(resolve));
      return {
        stdin: new PassThrough(),
        stdout,
        stderr: errors,
        exit: Promise.resolve({ code: 0, signal: null }),
      };
    },
  };
}

const folder = (name: string): RemoteEntry => ({
  name,
  type: 'directory',
  size: null,
  modified: null,
  mode: null,
});
const file = (name: string, modified = 5): RemoteEntry => ({
  name,
  type: 'file',
  size: 1,
  modified,
  mode: null,
});

function listing(tree: Record<string, RemoteEntry[]>): Pick<RemoteHost, 'list' | 'run'> {
  return {
    run: () => Promise.reject(new RemoteHostError('refused', 'no shell', { step: 'run' })),
    async list(_account, path) {
      const entries = tree[path];
      if (!entries) throw new RemoteHostError('permission', 'denied', { step: 'list' });
      return entries;
    },
  };
}

async function searched(host: object, more: { ms?: number; found?: number; depth?: number } = {}) {
  const found: FoundRepository[] = [];
  const tally = newTally();
  await searchHost(host as RemoteHost, {} as RemoteAccount, {
    root: '/srv',
    limits: { ...walkLimits, depth: 3, ...more },
    tally,
    sftp: true,
    signal: new AbortController().signal,
    onFound: async (each) => void found.push(each),
  });
  return { tally, found, paths: found.map(({ path }) => path) };
}

describe('a host with a shell', () => {
  test('reports each repository once, and none inside another', async () => {
    const output = bytes(
      ...record('/srv/a'),
      ...record('/srv/a/in'),
      ...record('/srv/a'),
      ...record('/srv/b\xff'),
      'e',
    );
    const { found, paths, tally } = await searched(
      answering(output, { stderr: 'find: x: denied\nfind: y\n' }),
    );
    expect(paths).toEqual(['/srv/a', '/srv/b\udcff']);
    expect(found[0]).toMatchObject({
      toolId: id,
      keyInside: true,
      modified: 1_700_000_000_000,
      broken: null,
    });
    expect(tally).toMatchObject({ found: 2, unreadable: 2, truncated: false });
  });

  test('may send any output', async () => {
    expect(
      (await searched(answering(bytes(...record('/srv/x', 'nonsense'), 'e')))).found[0]?.broken?.code,
    ).toBe('found_config_damaged');
    expect((await searched(answering(bytes(...record(`/${'x'.repeat(5000)}`), 'e')))).paths).toEqual([]);
    await expect(searched(answering(Buffer.alloc(100_000, 65)))).rejects.toThrow(
      /did not send a list of folders/,
    );
    await expect(searched(answering(bytes('m', 'e')))).rejects.toThrow(/no folder \/srv/);
    const endless = bytes(...Array.from({ length: 50 }, (_, n) => record(`/srv/${n}`)).flat());
    const few = await searched(answering(endless, { end: false }), { found: 5 });
    expect([few.paths.length, few.tally.truncated]).toEqual([5, true]);
  });

  test('ends when it takes too long', async () => {
    const silent = {
      run: async (_account: unknown, _command: unknown, { signal }: { signal: AbortSignal }) => {
        const stdout = new PassThrough();
        signal.addEventListener('abort', () => stdout.destroy(new Error('aborted')));
        const stderr = new PassThrough();
        return { stdin: new PassThrough(), stdout, stderr, exit: new Promise(() => {}) };
      },
    };
    expect((await searched(silent, { ms: 30 })).tally.truncated).toBe(true);
  });
});

describe('a host without a shell', () => {
  const repository = [file('config'), file('README'), folder('data'), file('index.3', 7)];

  test('is listed folder by folder', async () => {
    const tree = {
      '/srv': [folder('a'), folder('closed'), folder('..'), file('x')],
      '/srv/a': [folder('b')],
    };
    const { found, tally } = await searched(listing({ ...tree, '/srv/a/b': repository }));
    expect(found).toEqual([{ path: '/srv/a/b', toolId: null, keyInside: null, modified: 7, broken: null }]);
    expect(tally).toMatchObject({ folders: 3, unreadable: 1, found: 1 });
  });

  test('is recognised by an invalid response', async () => {
    const host = {
      ...listing({ '/srv': repository }),
      ...answering(Buffer.from('This account is for SFTP only.\n')),
    };
    expect((await searched(host)).paths).toEqual(['/srv']);
  });

  test('is bounded', async () => {
    const deep = { '/srv': [folder('a')], '/srv/a': [folder('b')], '/srv/a/b': repository };
    expect((await searched(listing(deep), { depth: 1 })).paths).toEqual([]);
    const wide = { '/srv': Array.from({ length: 600 }, (_, n) => folder(`n${n}`)) };
    const all = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`/srv/n${n}`, []]));
    const { tally } = await searched(listing({ ...wide, ...all }));
    expect([tally.folders, tally.truncated]).toEqual([500, true]);
  });
});
