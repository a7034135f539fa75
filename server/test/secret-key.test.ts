import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSecretKeys } from '../src/adapters/secret-key.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

const startLater = async (_: unknown, n: number) => {
  for (let turn = 0; turn < n; turn++) await setImmediate();
  return findSecretKeys(folder, undefined);
};

test('agrees on one private key file if many instances start at once', async () => {
  const keys = await Promise.all(Array.from({ length: 200 }, startLater));
  expect(new Set(keys.map(({ current }) => current)).size).toBe(1);
  expect(keys[0]?.current.length).toBeGreaterThanOrEqual(43);
  expect(await readdir(folder)).toEqual(['secret_key']);
  expect((await stat(join(folder, 'secret_key'))).mode & 0o777).toBe(0o600);
  expect(await findSecretKeys(folder, undefined)).toEqual({ ...keys[0], isNew: false });
});

test('prefers a given key without writing a file, and reads the former one', async () => {
  expect(await findSecretKeys(folder, 'a given key of enough length')).toEqual({
    current: 'a given key of enough length',
    former: [],
    isNew: false,
  });
  expect(await readdir(folder)).toEqual([]);
  const { current: made } = await findSecretKeys(folder, undefined);
  expect(await findSecretKeys(folder, 'a given key of enough length')).toMatchObject({ former: [made] });
});

test.each(['', 'short\n'])('names a damaged file and keeps it', async (content) => {
  const file = join(folder, 'secret_key');
  await writeFile(file, content);
  await expect(findSecretKeys(folder, undefined)).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining(file),
  });
  expect((await stat(file)).size).toBe(content.length);
});

test('reports a missing folder in one sentence', async () => {
  await expect(findSecretKeys(join(folder, 'none'), undefined)).rejects.toThrow(/ENOENT.*writable\.$/);
});
