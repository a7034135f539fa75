import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { foldersByBorg, hexOf, nameOf } from '../oracles/archive-folders.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { type RedisServer, startRedis } from '../services/redis.js';
import { makeFiles, makeRemarkable } from '../trees.js';
import { waitFor } from '../wait-for.js';

const levels = 2000;
let redis: RedisServer;
let server: TestServer;
let api: Api;
let borg: Borg;
let source: string;

beforeAll(async () => {
  redis = await startRedis();
  server = await TestServer.start({ env: { KVCACHE_URL: redis.url } });
  api = await server.login();
  source = server.workspace.folder('s');
  makeOddTree(source);
  borg = new Borg(join(server.workspace.path, 'repository'), server.workspace.folder('base'));
  await borg.run('init', '--encryption', 'none', borg.repository);
  archive('empty', Buffer.alloc(0));
  archive('one', findAll());
  writeFileSync(join(source, 'many', 'dir-0000', 'file-000001.txt'), 'changed');
  rmSync(join(source, 'many', 'dir-0001'), { recursive: true });
  writeFileSync(join(source, 'new file.txt'), 'new');
  archive('two', findAll());
  const imported = { name: 'odd', path: borg.repository, mode: 'observe' };
  expect((await api.post('/api/repositories/import', imported)).status).toBe(201);
}, 120_000);
afterAll(async () => {
  if (source) execFileSync('rm', ['-rf', source]);
  await server?.remove();
  await redis?.remove();
});

/** One path each: by itself borg's own walk ends at a thousand levels. */
const findAll = () => execFileSync('find', [source, '-print0'], { maxBuffer: 64 << 20 });

function archive(name: string, paths: Buffer): void {
  const from = ['--paths-from-stdin', '--paths-delimiter', '\\0'];
  execFileSync('borg', ['create', ...from, `${borg.repository}::${name}`], {
    input: paths,
    env: {
      PATH: process.env.PATH,
      HOME: borg.base,
      BORG_BASE_DIR: borg.base,
      LANG: 'C.UTF-8',
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
    },
  });
}

function makeOddTree(folder: string): void {
  makeRemarkable(join(folder, 'remarkable'));
  makeFiles(join(folder, 'many'), 3000, 20);
  for (const name of [
    '50%',
    '%41',
    'a%2Fb',
    'A',
    'a',
    'a b',
    'a+b',
    '\\udcff',
    'c:d',
    'q?x#y',
    '..x',
    '.hidden',
  ]) {
    mkdirSync(join(folder, 'names', name), { recursive: true });
    writeFileSync(join(folder, 'names', name, `${name} inside`), 'x');
  }
  const bad = Buffer.concat([Buffer.from(`${folder}/names/bad`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(bad);
  writeFileSync(Buffer.concat([bad, Buffer.from('/in\xe9', 'latin1')]), 'xyz');
  execFileSync('mkdir', ['-p', join(folder, 'd/'.repeat(levels))]);
}

const of = { repository_id: 1 };
const contents = (archive: string, query: Record<string, string | number> = {}) =>
  api.get(`/api/archives/${archive}/contents`, { ...of, ...query });
const stats = async () => (await api.get('/api/cache/stats')).body;
const inside = (...parts: string[]) => join(source, ...parts).slice(1);

test('shows every folder like borg', async () => {
  const expected = await foldersByBorg(borg.repository, 'one', borg.base);
  const paths = Object.keys(expected);
  expect(paths.length).toBeGreaterThan(levels);
  const wrong: unknown[] = [];
  const check = async (path: string) => {
    const { status, body } = await contents('one', { path: nameOf(path) });
    const found = Object.fromEntries((status === 200 ? body.items : []).map(described));
    const wanted = withoutHardLinks(expected[path] ?? {});
    if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(wanted))) wrong.push({ path, found, wanted });
  };
  await check('');
  // The deepest of them are like the others: one in fifty will do.
  const chosen = paths.filter((_, index) => index % 50 === 0 || paths.length - index > levels);
  for (let from = 0; from < chosen.length; from += 8)
    await Promise.all(chosen.slice(from, from + 8).map(check));
  expect(wrong).toEqual([]);
  expect((await contents('empty')).body).toMatchObject({ items: [], total: 0 });
}, 60_000);

type Item = { name: string; type: string; size: number; name_escaped?: boolean; path: string };
/** Names and kinds; the sizes of hard-linked files are their first names', which bare borg does not say. */
const described = ({ name, type, size, name_escaped }: Item) => {
  const hex = hexOf(name, name_escaped === true && Buffer.from(name).includes('\\udc') && name !== '\\udcff');
  return [hex, type === 'file' && !isHardLink(hex) ? `file ${size}` : type];
};
const isHardLink = (hex: string) => Buffer.from(hex, 'hex').toString().startsWith('hard-');
const withoutHardLinks = (folder: Record<string, string>) =>
  Object.fromEntries(Object.entries(folder).map(([name, what]) => [name, isHardLink(name) ? 'file' : what]));
const sorted = (record: Record<string, unknown>) =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

test('stores the listing in Redis under the key of the archive without prefix', async () => {
  const keys = await redis.command('KEYS', '*');
  expect(keys).toContain('archive:1:one\r\n');
  expect(keys).toContain('archive:1:one/0\r\n');
  expect(keys).not.toContain('keyv');
  expect(Number(/:(\d+)/.exec(await redis.command('TTL', 'archive:1:one'))?.[1])).toBeGreaterThan(7000);
  expect(await stats()).toMatchObject({
    backend: 'redis',
    available: true,
    connection_type: 'external_url',
    redis_fallback: false,
    connection_info: redis.url,
    ttl_seconds: 7200,
    max_size_mb: 2048,
    problem: null,
  });
});

test('pages a folder in order', async () => {
  const path = inside('many');
  const all = (await contents('one', { path })).body;
  expect(all).toMatchObject({ total: 30 });
  const parts = [];
  for (let offset = 0; offset < 30; offset += 7) {
    parts.push(...(await contents('one', { path, limit: 7, offset })).body.items);
  }
  expect(parts).toEqual(all.items);
  const names = (await contents('one', { path: inside('names') })).body.items.map(({ name }: Item) => name);
  expect(names.slice(0, 2)).toEqual(['%41', '..x']);
  expect(names.indexOf('A')).toBeLessThan(names.indexOf('a'));
  expectRefusal(await contents('one', { limit: -1 }), 400);
  expectRefusal(await contents('one', { offset: 'x' }), 400);
});

describe('search', () => {
  const search = async (query: Record<string, string | number | boolean>, archive = 'one') =>
    api.get(`/api/archives/${archive}/search`, { ...of, ...query });
  const names = async (query: Record<string, string | number | boolean>) =>
    (await search(query)).body.items.map(({ name }: Item) => name).sort();

  test('finds by part of the name, by pattern, by undecodable bytes', async () => {
    expect(await names({ query: 'FILE-00123' })).toHaveLength(10);
    expect(await names({ query: 'FILE-00123', case_sensitive: true })).toEqual([]);
    expect(await names({ query: 'file-0000?1.txt', mode: 'glob' })).toHaveLength(10);
    expect(await names({ query: '**/dir-0002/*7.txt', mode: 'glob' })).toHaveLength(10);
    expect(await names({ query: '**/m*/**/d*-0002/*i*e*7.{t,x}x*', mode: 'glob' })).toHaveLength(10);
    expect(await names({ query: 'two\nlines' })).toEqual(['two\nlines.txt']);
    expect(await names({ query: '日本' })).toHaveLength(1);
    expect(await names({ query: 'bad\\udcff' })).toEqual(['bad\\udcff\\udcfe', 'bad\\udcffname.bin']);
    expect(await names({ query: '50%' })).toEqual(['50%', '50% inside']);
    expect(await names({ query: 'nowhere' })).toEqual([]);
  });

  test('answers in pages, and rejects invalid queries', async () => {
    const first = (await search({ query: 'file-', limit: 1000 })).body;
    const rest = (await search({ query: 'file-', limit: 10_000, offset: 1000 })).body;
    expect([first.items.length, first.truncated, rest.items.length, rest.truncated]).toEqual([
      1000,
      true,
      2000,
      false,
    ]);
    expect(new Set([...first.items, ...rest.items].map(({ path }: Item) => path)).size).toBe(3000);
    for (const query of ['', 'x'.repeat(257)]) {
      expectRefusal(await search({ query, mode: 'glob' }), 400);
    }
    expectRefusal(await search({ query: 'x', mode: 'regex' }), 400);
    expectRefusal(await search({ query: 'x' }, 'none'), 404);
  });

  test('searches all archives, with each path once', async () => {
    const { body } = await api.get('/api/archives/search', { ...of, query: 'file-000001' });
    expect(body.items).toMatchObject([
      {
        path: inside('many/dir-0000/file-000001.txt'),
        versions: [{ archives: ['one'] }, { archives: ['two'] }],
      },
    ]);
    const gone = (await api.get('/api/archives/search', { ...of, query: 'file-000101' })).body;
    expect(gone.items[0].versions).toMatchObject([{ archives: ['one'] }]);
  });
});

/** borg also names folders of which only the times changed. */
const isMoreThanTimes = ({ changes }: { changes: { type: string }[] }) =>
  changes.some(({ type }) => type !== 'ctime' && type !== 'mtime');

test('shows the history of a path and the differences of archives like borg diff', async () => {
  const history = async (path: string) => {
    const { body } = await api.get('/api/archives/history', { ...of, path: inside(path) });
    return body.history.map(({ state, archive }: { state: string; archive: string }) => [state, archive]);
  };
  expect(await history('many/dir-0000/file-000001.txt')).toEqual([
    ['appeared', 'one'],
    ['changed', 'two'],
  ]);
  expect(await history('many/dir-0001')).toEqual([
    ['appeared', 'one'],
    ['vanished', 'two'],
  ]);
  expect(await history('new file.txt')).toEqual([['appeared', 'two']]);
  expectRefusal(await api.get('/api/archives/history', { ...of, path: 'never/there' }), 404);

  const { body } = await api.get('/api/archives/one/diff', { ...of, with: 'two', limit: 10_000 });
  const ours = body.items.map(({ path }: Item) => path).sort();
  const theirs = (await borg.run('diff', '--json-lines', `${borg.repository}::one`, 'two'))
    .trim()
    .split('\n');
  expect(ours).toEqual(
    theirs
      .map((line) => JSON.parse(line))
      .filter(isMoreThanTimes)
      .map(({ path }) => path)
      .sort(),
  );
  expect([body.added, body.removed, body.changed]).toEqual([1, 101, 1]);
  const part = (await api.get('/api/archives/one/diff', { ...of, with: 'two', limit: 10, offset: 95 })).body;
  expect([part.items.length, part.truncated]).toEqual([8, false]);
  expect((await api.get('/api/archives/one/diff', { ...of, with: 'one' })).body).toMatchObject({ items: [] });
});

describe('clearing', () => {
  const build = async () => /"build":"(\w+)"/.exec(await redis.command('GET', 'archive:1:one'))?.[1];

  test('covers all entries, even those that were unreachable before', async () => {
    const first = await build();
    expect(first).toBeDefined();
    await redis.freeze();
    const cleared = await api.post('/api/cache/clear-repository', { repo_id: 1 });
    expect(cleared.body).toMatchObject({ success: true, cleared_count: expect.any(Number) });
    redis.signal('SIGCONT');
    await waitFor(async () => (await stats()).backend === 'redis', {
      what: 'Redis in use',
      timeoutMs: 60_000,
    });
    expect((await contents('one')).status).toBe(200);
    await waitFor(async () => (await build()) !== first, { what: 'a new listing', timeoutMs: 60_000 });
    expectRefusal(await api.post('/api/cache/clear-repository', { repo_id: 99 }), 404);
    expectRefusal(await api.post('/api/cache/clear-repository', {}), 400);
  }, 40_000);

  test('clears everything; a corrupt entry costs only time', async () => {
    const { body } = await api.post('/api/cache/clear');
    expect(body.cleared_count).toBeGreaterThan(0);
    expect(await stats()).toMatchObject({ entry_count: 0, size_bytes: 0 });
    await contents('one');
    await waitFor(build, { what: 'the listing', timeoutMs: 60_000 });
    // Without memory of its own the service must read what stands in Redis.
    await redis.command('SET', 'archive:1:one/0', 'nonsense');
    await server.restart();
    api = await server.login();
    await waitFor(async () => (await stats()).backend === 'redis', {
      what: 'Redis in use',
      timeoutMs: 60_000,
    });
    expect((await contents('one', { path: inside('many') })).body.total).toBe(30);
  }, 40_000);
});

describe('settings', () => {
  const set = (json: object) => api.put('/api/settings/cache', json);

  test('refuses a failing store with the reason and keeps the former one', async () => {
    for (const [url, reason] of [
      ['redis://127.0.0.1:1/0', /ECONNREFUSED/],
      ['http://127.0.0.1', /http:/],
      ['redis://127.0.0.1/99999', /0 to 9999/],
      ['no url', /not valid/],
    ] as const) {
      expectRefusal(await set({ url }), 400, reason);
    }
    for (const wrong of [{ ttl_seconds: 1 }, { max_size_mb: 0 }, { enabled: 'yes' }]) {
      expectRefusal(await set(wrong), 400);
    }
    expect(await stats()).toMatchObject({ backend: 'redis', connection_info: redis.url });
  }, 30_000);

  test('take effect at once, survive a restart and hide the password', async () => {
    const locked = await startRedis({ password: 'secret word' });
    try {
      const url = `redis://:secret%20word@127.0.0.1:${locked.port}/3`;
      const answer = await set({ url, ttl_seconds: 600, max_size_mb: 64 });
      expect(answer.body).toMatchObject({ success: true, overridden: ['url', 'ttl_seconds', 'max_size_mb'] });
      expect(answer.text).not.toContain('secret');
      await api.post('/api/cache/clear');
      await contents('two');
      await waitFor(async () => (await locked.command('INFO', 'keyspace')).includes('db3'), {
        what: 'keys in the other store',
        timeoutMs: 60_000,
      });
      await server.restart();
      api = await server.login();
      const now = await waitFor(async () => (await stats()).backend === 'redis' && stats(), {
        what: 'the other store in use',
        timeoutMs: 60_000,
      });
      expect(now).toMatchObject({ ttl_seconds: 600, max_size_mb: 64, connection_type: 'external_url' });
      expect(now.connection_info).toContain(`:***@127.0.0.1:${locked.port}/3`);
      expect((await set({ enabled: false })).status).toBe(200);
      expect(await stats()).toMatchObject({ backend: 'in-memory', redis_fallback: false });
      const back = await set({ url: null, enabled: null, ttl_seconds: null, max_size_mb: null });
      expect(back.body.overridden).toEqual([]);
      expect(await stats()).toMatchObject({
        backend: 'redis',
        connection_info: redis.url,
        ttl_seconds: 7200,
      });
      expect(server.log).not.toContain('secret word');
    } finally {
      await locked.remove();
    }
  }, 40_000);
});
