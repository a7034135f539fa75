import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
});
afterAll(() => stopAndRemove(folder));

test('reads next to a writer that stores a newer manifest', async () => {
  const driver = await makeDriver(join(folder, 'data'));
  const location = join(folder, 'repository');
  const target: RepositoryTarget = {
    uid: 'one',
    location,
    passphrase: 'a secret',
    keyFile: null,
    remoteToolPath: null,
  };
  await driver.init(target, { encryption: 'repokey' });
  await driver.listArchives(target, {});
  const security = join(folder, 'data', 'one', '.config', 'borg', 'security');
  const [id = ''] = await readdir(security);
  // As a commit between the reading of the manifest and its check.
  await writeFile(join(security, id, 'manifest-timestamp'), '2200-01-01T00:00:00.000000');
  await expect(driver.listArchives(target, {})).rejects.toThrow(/older state/);
  const { value } = await driver.listArchives(target, {}, { bypassLock: true });
  expect(value).toEqual([]);
});
