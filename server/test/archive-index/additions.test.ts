import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { IndexFull } from '@holdfast/core/server';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archive, containing, directory, entry, indexWorld, repository, stream } from './index-world.js';

let world: ReturnType<typeof indexWorld>;
beforeEach(() => {
  world = indexWorld();
});
afterEach(() => world.end());

const file = (n: number, size = 1) => entry(`folder/a file with a name ${n}.txt`, { size });
const files = (count: number, size = 1) => Array.from({ length: count }, (_, n) => file(n, size));

/** Stops after the entries until it is released. */
function held(entries: ArchiveEntry[]) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* all() {
    yield* stream(entries);
    await released;
  }
  return { entries: all(), release };
}

test('keeps nothing when the listing fails', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(10)));
  async function* broken() {
    yield* stream(files(9_000, 2));
    throw new Error('the tool failed');
  }
  await expect(index.add(archive(2), broken())).rejects.toThrow('the tool failed');
  expect(await index.archives()).toHaveLength(1);
  expect((await index.history(file(3).path))?.map(({ archives }) => archives)).toEqual([['id-1']]);
  expect(await index.history(file(8_000).path)).toBeNull();
  expect(await index.add(archive(2), stream(files(11)))).toMatchObject({ delta: { added: 1, changed: 0 } });
});

test('keeps nothing when aborted', async () => {
  const index = await world.indexes.open(repository);
  const controller = new AbortController();
  async function* some() {
    yield* stream(files(5_000));
    controller.abort(new Error('stopped'));
    yield* stream(files(5_000));
  }
  await expect(index.add(archive(1), some(), { signal: controller.signal })).rejects.toThrow('stopped');
  expect(await index.archives()).toEqual([]);
});

test('keeps nothing of an archive that takes too many bytes', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(10)));
  const adding = index.add(archive(2), stream(files(50_000)), { maxBytes: 1e6 });
  await expect(adding).rejects.toBeInstanceOf(IndexFull);
  expect(await index.archives()).toHaveLength(1);
  expect(statSync(world.file).size).toBeLessThan(3e6);
  const small = await world.another(1e6).open(repository);
  await expect(small.add(archive(2), stream(files(50_000)))).rejects.toBeInstanceOf(IndexFull);
});

test('adds an archive once when two processes add it', async () => {
  const [one, two] = [await world.indexes.open(repository), await world.another().open(repository)];
  const first = held(files(3_000));
  const adding = [one.add(archive(1), first.entries), two.add(archive(1), stream(files(3_000)))];
  setTimeout(first.release, 1_500);
  const results = await Promise.all(adding);
  expect(results).toEqual([
    { entries: 3_001, delta: null },
    { entries: 3_001, delta: null },
  ]);
  expect(await two.find('id-1')).toEqual({ entries: 3_001, delta: null });
  expect(await one.find('unknown')).toBeNull();
  expect(await two.archives()).toHaveLength(1);
});

test('reads the state before while an archive is added', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(3_000)));
  const next = held(files(6_000, 2));
  const adding = index.add(archive(2), next.entries);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await index.history(file(1).path))?.map(({ entry: { size } }) => size)).toEqual([1]);
  expect((await index.search(containing('name 5999'))).items).toEqual([]);
  next.release();
  await adding;
  expect(await index.history(file(1).path)).toHaveLength(2);
  expect((await index.search(containing('name 5999'))).items).toHaveLength(1);
});

test('reports renamed files with examples by folder', async () => {
  const index = await world.indexes.open(repository);
  const [docs, other] = [
    ['a.doc', 'b.doc', 'c.tar.gz', 'd', '.e'],
    ['x.txt', 'y.txt'],
  ];
  const before = [
    ...docs.map((name) => entry(`docs/${name}`)),
    ...other.map((name) => entry(`other/${name}`)),
  ];
  await index.add(archive(1), stream(before));
  const after = ['a.doc.locked', 'b.xyz', 'c.tar.xz', 'd.1.locked', '.f'].map((name) =>
    entry(`docs/${name}`),
  );
  const added = await index.add(
    archive(2),
    stream([...after, entry('other/x.txt', { size: 9 }), entry('other/y.txt')]),
  );
  expect(await index.find('id-2')).toEqual(added);
  expect(added?.delta).toEqual({
    before: 'id-1',
    filesBefore: 7,
    added: 5,
    changed: 1,
    removed: 5,
    renamed: 4,
    folders: [
      { path: 'docs', changed: 0, removed: 5, examples: ['.e', 'a.doc', 'b.doc'] },
      { path: 'other', changed: 1, removed: 0, examples: ['x.txt'] },
    ],
  });
});

test('compares an archive with the one before it of its series only', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(3)));
  await index.add(archive(1, { toolId: 'other', hostname: 'other' }), stream(files(1)));
  await index.add(archive(3), stream(files(3)));
  expect((await index.add(archive(4), stream(files(2))))?.delta).toMatchObject({
    before: 'id-3',
    removed: 1,
  });
  expect((await index.add(archive(0), stream(files(2))))?.delta).toBeNull();
  expect((await index.add(archive(2), stream(files(2))))?.delta).toBeNull();
});

test('gives space back when archives are removed', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(500)));
  const before = statSync(world.file).size;
  await index.add(
    archive(2),
    stream([...files(500), ...files(20_000).map((each) => ({ ...each, path: `b/${each.path}` }))]),
  );
  expect(statSync(world.file).size).toBeGreaterThan(before + 1e6);
  await index.remove(['id-2']);
  expect(statSync(world.file).size).toBeLessThan(before + 100_000);
  expect((await index.search(containing('name 77.'))).items).toHaveLength(1);
  expect(await index.history('b')).toBeNull();
});

test('holds many archives', { timeout: 300_000 }, async () => {
  const index = await world.indexes.open(repository);
  const count = Number(process.env.TEST_ARCHIVES ?? 100);
  for (let n = 0; n < count; n++) {
    await index.add(archive(n), stream([directory('folder'), file(0), file(n % 10, n)]));
  }
  expect(await index.archives()).toHaveLength(count);
  const found = await index.history(file(0).path);
  expect(found?.flatMap(({ archives }) => archives)).toHaveLength(count);
  const removed = Array.from({ length: count }, (_, n) => `id-${n}`).filter((_, n) => n % 10 === 1);
  expect((await index.lost(removed)).files).toBe(1);
  await index.remove(removed);
  expect(await index.history(file(1).path)).toBeNull();
});

test('keeps few files open for many repositories', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `repository-${n}`);
  for (const id of ids) await (await world.indexes.open(id)).add(archive(1), stream([file(1)]));
  const targets = () =>
    readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
  const open = () => new Set(targets().filter((path) => /repository-\d+\.sqlite$/.test(path))).size;
  await expect.poll(open, { timeout: 60_000 }).toBeLessThanOrEqual(16);
  for (const id of ids) expect(await (await world.indexes.open(id)).archives()).toHaveLength(1);
});
