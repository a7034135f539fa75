/** Archives made by bare Borg: the index knows what the lists of all of them say. */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, deleteArchive, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

const run = promisify(execFile);
const count = 16;
const day = 86_400_000;
const begin = Date.UTC(2026, 0, 1);

let server: TestServer;
let api: Api;
let home: Repository;
let borg: Borg;
let source: string;

interface Version {
  type: string;
  size: number;
  mtime: number;
}
/** What `borg list` says of each archive: versions of regular files by path. */
const listed = new Map<string, Map<string, Version>>();

/** The same on every run. */
function* numbers(): Generator<number> {
  for (let state = 39; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state / 2 ** 32;
  }
}
const random = numbers();
const below = (most: number) => Math.floor((random.next().value as number) * most);

/** Some files come, change and go. */
function live(step: number): void {
  for (let each = 0; each < 12; each++) {
    const path = join(source, `folder ${below(6)}`, `file-${below(40)}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    if (below(3) === 0) rmSync(path, { force: true });
    else {
      writeFileSync(path, 'x'.repeat(1 + below(500)));
      utimesSync(path, begin / 1000 + step, begin / 1000 + step);
    }
  }
  writeFileSync(join(source, `only in ${step}`), `${step}`);
  if (step > 0) rmSync(join(source, `only in ${step - 1}`));
}

async function readList(name: string): Promise<Map<string, Version>> {
  const { stdout } = await run('borg', ['list', '--json-lines', `${borg.repository}::${name}`], {
    env: { PATH: process.env.PATH, HOME: borg.base, BORG_BASE_DIR: borg.base, TZ: 'UTC', LANG: 'C.UTF-8' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = new Map<string, Version>();
  for (const line of stdout.trim().split('\n')) {
    const { type, path, size, mtime } = JSON.parse(line) as Record<string, string> & { size: number };
    if (type === '-') files.set(path as string, { type, size, mtime: Date.parse(`${mtime}Z`) });
  }
  return files;
}

const nameOf = (step: number) => `nightly-${new Date(begin + step * day).toISOString().slice(0, 10)}`;
const of = (what: string) => `/api/repositories/${home.id}${what}`;
const read = async (path: string, query: Record<string, string | number> = {}) => {
  const answer = await api.get(path, query);
  expect(`${answer.status} ${answer.text.slice(0, 500)}`).toMatch(/^200 /);
  return answer.body;
};
const indexed = (archives: number) =>
  waitFor(async () => (await read(of('/index'))).indexed_archives === archives, {
    what: `${archives} indexed archives`,
    timeoutMs: 600_000,
  });

beforeAll(async () => {
  server = await TestServer.start({ env: { INDEX_MAX_MB: '100', EXPENSIVE_CALLS_PER_MINUTE: '10000' } });
  api = await server.login();
  source = server.workspace.folder('source');
  borg = new Borg(join(server.workspace.path, 'home'), server.workspace.folder('by-hand'));
  await borg.run('init', '--encryption=none', borg.repository);
  for (let step = 0; step < count; step++) {
    live(step);
    await borg.create(nameOf(step), begin + step * day, { source });
  }
  for (let step = 0; step < count; step++) listed.set(nameOf(step), await readList(nameOf(step)));
  const facts = { name: 'home', path: borg.repository, source_directories: [source] };
  home = (await api.post('/api/repositories/import', facts)).body.repository;
  await indexed(count);
}, 300_000);
afterAll(() => server?.remove());

/** The versions of each path by the lists, with the archives that have them. */
function expectedVersions(wanted: (path: string) => boolean) {
  const paths = new Map<string, Map<string, string[]>>();
  for (const [archive, files] of listed)
    for (const [path, { size, mtime }] of files) {
      if (!wanted(path)) continue;
      const versions = paths.get(path) ?? new Map<string, string[]>();
      paths.set(path, versions);
      const key = `${size} ${mtime}`;
      versions.set(key, [...(versions.get(key) ?? []), archive]);
    }
  return paths;
}

interface Found {
  path: string;
  versions: { type: string; size: number; mtime: string; archives: string[] }[];
}
const asExpected = (items: Found[]) =>
  new Map(
    items.map(({ path, versions }) => [
      path,
      new Map(versions.map(({ size, mtime, archives }) => [`${size} ${Date.parse(mtime)}`, archives])),
    ]),
  );
const sorted = (paths: Map<string, Map<string, string[]>>) =>
  [...paths]
    .map(([path, versions]) => [path, [...versions].map(([key, all]) => [key, [...all].sort()]).sort()])
    .sort();

test('finds every version of every file, as the lists say', async () => {
  const body = await read(of('/search'), { q: 'file-', type: 'file' });
  expect(body).toMatchObject({ truncated: false, next: null, not_searched: [] });
  expect(sorted(asExpected(body.items))).toEqual(sorted(expectedVersions((path) => path.includes('file-'))));
});

test('finds deleted files page by page', async () => {
  const newest = listed.get(nameOf(count - 1));
  const gone = expectedVersions((path) => !newest?.has(path) && basename(path).includes('o'));
  const items: Found[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page = await read(of('/search'), { q: 'o', deleted: 'true', type: 'file', limit: 7, cursor });
    expect(page.items.length).toBeLessThanOrEqual(7);
    items.push(...page.items);
    cursor = page.next;
  }
  expect(gone.size).toBeGreaterThan(count / 2);
  expect(sorted(asExpected(items))).toEqual(sorted(gone));
});

test('tells the history of each path, as the lists say', async () => {
  const paths = [...expectedVersions(() => true).keys()];
  for (const path of paths.filter((_, at) => at % 9 === 0)) {
    const { history } = await read(of('/history'), { path });
    const steps: [string, string][] = [];
    let last: Version | undefined;
    for (const [archive, files] of listed) {
      const now = files.get(path);
      if (now && !last) steps.push(['appeared', archive]);
      else if (!now && last) steps.push(['vanished', archive]);
      else if (now && last && (now.size !== last.size || now.mtime !== last.mtime))
        steps.push(['changed', archive]);
      last = now;
    }
    expect(history.map(({ state, archive }: Record<string, string>) => [state, archive])).toEqual(steps);
  }
});

/** What no archive but these has, by the lists. */
function lostWith(removed: ReadonlySet<string>) {
  const kept = new Set([...listed].flatMap(([name, files]) => (removed.has(name) ? [] : [...files.keys()])));
  const lost = new Map<string, number>();
  for (const [name, files] of listed)
    for (const [path, { size }] of files) if (removed.has(name) && !kept.has(path)) lost.set(path, size);
  return { files: lost.size, bytes: [...lost.values()].reduce((sum, size) => sum + size, 0) };
}

test('counts the files that a prune or a deletion would lose', async () => {
  const rules = { keep_daily: 4, keep_weekly: 2, keep_monthly: 0, keep_yearly: 0, keep_quarterly: 0 };
  const order = { ...rules, keep_hourly: 0, dry_run: true };
  const { body } = await api.post(of('/prune'), order);
  const removed = new Set<string>(
    body.archives.flatMap(({ name, rule }: Record<string, string>) => (rule === 'removed' ? [name] : [])),
  );
  expect(removed.size).toBeGreaterThan(count / 2);
  expect(body.lost).toMatchObject({ ...lostWith(removed), not_indexed: 0 });
  expect(body.lost.largest.length).toBeGreaterThan(0);
  const one = nameOf(10);
  const { lost } = await read(`/api/archives/${one}/lost-files`, { repository_id: home.id });
  expect(lost).toMatchObject({ ...lostWith(new Set([one])), not_indexed: 0 });
  const preview = { repository_id: home.id, prune_keep_daily: 4, prune_keep_weekly: 2, lost: true };
  const answer = await api.post('/api/schedule/preview', {
    ...preview,
    prune_keep_monthly: 0,
    prune_keep_yearly: 0,
    timezone: 'UTC',
  });
  expect(answer.body.lost.files).toBeGreaterThan(0);
});

test('compares two archives, and sums up the growth of folders', async () => {
  const [before, after] = [nameOf(2), nameOf(count - 1)];
  const changes = await read(of(`/archives/${after}/changes`), { with: before });
  const [old, now] = [listed.get(before), listed.get(after)];
  const added = [...(now?.keys() ?? [])].filter((path) => !old?.has(path));
  const removed = [...(old?.keys() ?? [])].filter((path) => !now?.has(path));
  expect(changes).toMatchObject({ added: added.length, removed: removed.length, truncated: false });
  const growth = await read(of('/growth-by-folder'), { days: 3650, path: source.slice(1) });
  const sizes = (name: string) =>
    [...(listed.get(name)?.values() ?? [])].reduce((sum, { size }) => sum + size, 0);
  const total = growth.folders.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0);
  expect(total).toBe(sizes(growth.to.archive) - sizes(growth.from.archive));
});

test('browses without Borg when the cache is empty', async () => {
  await api.post('/api/cache/clear');
  renameSync(borg.repository, `${borg.repository}.away`);
  const name = nameOf(3);
  const path = join(source, 'folder 1').slice(1);
  const { items } = await read(`/api/archives/${name}/contents`, { repository_id: home.id, path });
  const expected = [...(listed.get(name)?.keys() ?? [])].filter((file) => dirname(file) === path);
  renameSync(`${borg.repository}.away`, borg.repository);
  expect(items.map((item: { path: string }) => item.path).sort()).toEqual(expected.sort());
});

test('follows new, deleted and renamed archives', async () => {
  const job = await backUp(api, home.path);
  expect(job.status).toBe('completed');
  await indexed(count + 1);
  await deleteArchive(api, home.path, nameOf(0));
  await borg.run('rename', `${borg.repository}::${nameOf(1)}`, 'renamed');
  const gone = expectedVersions((path) => path.endsWith('only in 0'));
  const database = await server.database();
  await database.all('UPDATE repository SET inventory_at = 0 WHERE id = ?', home.id);
  await database.close();
  expect(gone.size).toBe(1);
  await waitFor(
    async () => {
      await read('/api/archives/list', { repository_id: home.id });
      const names = async (q: string) =>
        (await read(of('/search'), { q })).items.flatMap((item: Found) =>
          item.versions.flatMap(({ archives }) => archives),
        );
      return (await names('only in 0')).length === 0 && (await names('only in 1')).includes('renamed');
    },
    { what: 'the index without the first archive', timeoutMs: 300_000 },
  );
}, 600_000);
