import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginInstance } from '@holdfast/plugin-api';
import type { BackupDriver, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

const folder = mkdtempSync(join(tmpdir(), 'driver-borg-figures-'));
const location = join(folder, 'repository');
const passphrase = 'a passphrase for tests only';
const target: RepositoryTarget = { uid: 'one', location, passphrase, keyFile: null, remoteToolPath: null };
let driver: PluginInstance<BackupDriver>;

/** As a person would, with a cache of its own. */
const borg = (...words: string[]) =>
  execFileSync('borg', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, BORG_BASE_DIR: join(folder, 'by-hand'), BORG_PASSPHRASE: passphrase },
  });
const sizeByHand = () => JSON.parse(borg('info', '--json', location)).cache.stats.unique_csize;
const namesOf = async () => (await driver.listArchives(target, {})).value.map(({ name }) => name);

async function store(name: string): Promise<{ repositoryStoredSize: number | null }> {
  const source = join(folder, name);
  mkdirSync(source);
  writeFileSync(join(source, 'random'), crypto.getRandomValues(new Uint8Array(60_000)));
  const input = { name, comment: '', excludePatterns: [], compression: 'lz4', customFlags: [] };
  return (await driver.createArchive(target, { ...input, sources: [source] })).value;
}

beforeAll(async () => {
  mkdirSync(join(folder, 'by-hand'));
  driver = await makeDriver(join(folder, 'data'));
  await driver.init(target, { encryption: 'repokey' });
});
afterAll(() => stopAndRemove(folder));

test('reports the size that borg reports, after backups and deletions', async () => {
  await store('first');
  expect((await store('second')).repositoryStoredSize).toBe(sizeByHand());
  const size = async () => (await driver.open(target, {})).value.storedSize;
  const before = await size();
  await driver.deleteArchives(target, { archives: ['second'] });
  expect(await size()).toBe(sizeByHand());
  expect(await size()).toBeLessThan(before - 50_000);
});

test('leaves out archives that borg calls unfinished', async () => {
  borg('rename', `${location}::first`, 'first.checkpoint');
  expect(await namesOf()).toEqual([]);
  const { value } = await driver.listArchives(target, { checkpoints: true });
  expect(value.map(({ name }) => name)).toEqual(['first.checkpoint']);
});

test('shows an archive that borg renames under another id', async () => {
  const [before] = (await driver.listArchives(target, { checkpoints: true })).value;
  borg('rename', `${location}::first.checkpoint`, 'last');
  const [after] = (await driver.listArchives(target, {})).value;
  expect(after).toMatchObject({ name: 'last', start: before?.start, comment: before?.comment });
  expect(after?.id).not.toBe(before?.id);
});
