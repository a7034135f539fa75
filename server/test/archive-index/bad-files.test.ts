import {
  copyFileSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archive, containing, entry, indexWorld, repository, stream } from './index-world.js';

let world: ReturnType<typeof indexWorld>;
beforeEach(() => {
  world = indexWorld();
});
afterEach(() => world.end());

const files = (count: number, size = 1) =>
  Array.from({ length: count }, (_, n) => entry(`folder/a file with a name ${n}.txt`, { size }));

/** A file with one archive, closed. */
async function filled(count = 2_000) {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(count)));
  await world.indexes.close();
}

const zero = (from: number, to: number) => {
  const file = openSync(world.file, 'r+');
  writeSync(file, Buffer.alloc(to - from), 0, to - from, from);
};

describe('a file that is of no use', () => {
  test.each([
    ['cut in the middle', () => truncateSync(world.file, 100_000)],
    ['cut in its header', () => truncateSync(world.file, 60)],
    ['full of zeros', () => zero(0, statSync(world.file).size)],
    ['with zeros after its header', () => zero(8_192, statSync(world.file).size)],
    ['of another program', () => writeFileSync(world.file, 'not a database '.repeat(1_000))],
  ])('is made again when %s', async (_, damage) => {
    await filled();
    damage();
    const index = await world.another().open(repository);
    expect(await index.archives()).toEqual([]);
    expect(await index.history('folder')).toBeNull();
    expect(await index.add(archive(1), stream(files(5)))).toMatchObject({ entries: 6 });
    expect(world.warnings).toEqual(['the index of archives is made again']);
  });

  test('is made again when of a newer format', async () => {
    await filled();
    const bytes = readFileSync(world.file);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(world.file, bytes);
    const index = await world.another().open(repository);
    expect(await index.archives()).toEqual([]);
    expect(world.warnings).toHaveLength(1);
  });

  test('is made again when of another repository', async () => {
    await filled();
    const other = 'b'.repeat(64);
    copyFileSync(world.file, world.file.replace(repository, other));
    const index = await world.another().open(other);
    expect(await index.archives()).toEqual([]);
    expect(await (await world.another().open(repository)).archives()).toHaveLength(1);
    expect(world.warnings).toHaveLength(1);
  });

  test('is made again when a read meets damage', async () => {
    await filled(30_000);
    const index = await world.another().open(repository);
    zero(8_192 * 20, statSync(world.file).size - 8_192 * 20);
    const text = { ...containing('nothing like it'), limit: 10 };
    expect(await index.search(text)).toEqual({ items: [], next: null });
    expect(await index.archives()).toEqual([]);
    expect(world.warnings).toHaveLength(1);
  });

  test('is made again when an addition meets damage', async () => {
    await filled(30_000);
    const index = await world.another().open(repository);
    zero(8_192 * 20, statSync(world.file).size - 8_192 * 20);
    await expect(index.add(archive(2), stream(files(30_000, 2)))).rejects.toThrow('malformed');
    expect(await index.add(archive(2), stream(files(10)))).toMatchObject({ entries: 11, delta: null });
    expect(world.warnings).toHaveLength(1);
  });
});

test.each(['', '.', '..', 'a/b', '../x', 'a\0'])('rejects the id %j', async (id) => {
  await expect(world.indexes.open(id)).rejects.toThrow('not the id of a repository');
  await expect(world.indexes.remove(id)).rejects.toThrow('not the id of a repository');
});

test('keeps files of other users out', async () => {
  await world.indexes.open(repository);
  expect(statSync(world.file).mode & 0o777).toBe(0o600);
  expect(statSync(world.file.replace(/\/[^/]*$/, '')).mode & 0o777).toBe(0o700);
});

test('removes an index with all of its files', async () => {
  const index = await world.indexes.open(repository);
  await index.add(archive(1), stream(files(5_000)));
  const sizes = await world.indexes.sizes();
  expect([...sizes.keys()]).toEqual([repository]);
  expect(sizes.get(repository)).toBeGreaterThan(500_000);
  await world.indexes.remove(repository);
  expect(world.files()).toEqual([]);
  await expect(index.archives()).rejects.toThrow('closed');
  expect(await (await world.indexes.open(repository)).archives()).toEqual([]);
});

test('opens a file again when another process has removed it', async () => {
  const [one, two] = [await world.indexes.open(repository), await world.another().open(repository)];
  await one.add(archive(1), stream(files(10)));
  expect(await two.archives()).toHaveLength(1);
  await world.indexes.remove(repository);
  expect(await two.archives()).toEqual([]);
  await two.add(archive(2), stream(files(10)));
  expect(await (await world.another().open(repository)).archives()).toHaveLength(1);
  expect(world.warnings).toEqual([]);
});
