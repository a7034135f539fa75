import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupDriver, Encryption, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
let driver: BackupDriver;
let target: RepositoryTarget;

const made = async (uid: string, encryption: Encryption): Promise<RepositoryTarget> => {
  const bare = {
    uid,
    location: join(folder, uid),
    passphrase: 'a secret',
    keyFile: null,
    remoteToolPath: null,
  };
  const { value } = await driver.init(bare, { encryption });
  return { ...bare, expected: { id: value.id, encryption } };
};

const input = (name: string) => ({
  name,
  comment: '',
  sources: [join(folder, 'source')],
  excludePatterns: [],
  compression: 'lz4',
  customFlags: [],
});

/** Puts a copy of one repository where another is. */
const replace = async (place: RepositoryTarget, by: RepositoryTarget) => {
  await rm(place.location, { recursive: true });
  await cp(by.location, place.location, { recursive: true });
};

const filesOf = async (path: string) => (await readdir(path, { recursive: true })).toSorted();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  driver = await makeDriver(join(folder, 'data'));
  await mkdir(join(folder, 'source'));
  await writeFile(join(folder, 'source', 'file'), 'text');
  target = await made('registered', 'repokey-blake2');
  await driver.createArchive(target, input('first'));
  await rename(target.location, join(folder, 'kept'));
  await cp(join(folder, 'kept'), target.location, { recursive: true });
}, 60_000);
afterAll(() => stopAndRemove(folder));

describe('another repository at the path of a registered one', () => {
  test.each(['none', 'repokey-blake2'] as const)(
    'writes, removes and reads nothing with encryption %s',
    async (encryption) => {
      const other = await made(`other-${encryption}`, encryption);
      await driver.createArchive(other, input('first'));
      await replace(target, other);
      const before = await filesOf(target.location);
      const refused = { kind: 'other_repository', message: expect.stringContaining(target.location) };
      await expect(driver.createArchive(target, input('second'))).rejects.toMatchObject(refused);
      await expect(driver.deleteArchives(target, { archives: ['first'] })).rejects.toMatchObject(refused);
      await expect(driver.compact(target, {})).rejects.toMatchObject(refused);
      await expect(driver.check?.(target, { repair: true })).rejects.toMatchObject(refused);
      await expect(driver.listArchives(target, {})).rejects.toMatchObject(refused);
      await expect(driver.open(target, {})).rejects.toMatchObject(refused);
      expect(await filesOf(target.location)).toEqual(before);
    },
    60_000,
  );

  test('refuses an unencrypted one with a copied id', async () => {
    const other = await made('forged', 'none');
    await replace(target, other);
    const config = join(target.location, 'config');
    const text = `[repository]\nversion = 1\nsegments_per_dir = 1000\nmax_segment_size = 524288000\nappend_only = 0\nstorage_quota = 0\nadditional_free_space = 0\nid = ${target.expected?.id}\n`;
    await writeFile(config, text);
    const refused = { kind: 'other_repository' };
    await expect(driver.createArchive(target, input('second'))).rejects.toMatchObject(refused);
    await expect(driver.compact(target, {})).rejects.toMatchObject(refused);
    const unknown = { ...target, uid: 'never-seen' };
    await expect(driver.createArchive(unknown, input('second'))).rejects.toMatchObject(refused);
  });

  test('uses a registered one without encryption', async () => {
    const plain = await made('plain', 'none');
    const elsewhere = { ...plain, uid: 'plain-elsewhere' };
    await expect(driver.createArchive(elsewhere, input('first'))).resolves.toMatchObject({ warnings: [] });
  });
});
