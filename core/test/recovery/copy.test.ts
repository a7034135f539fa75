import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageCopies } from '@holdfast/plugin-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Copying,
  readCopy,
  sizeOfCopy,
  writeCopy,
} from '../../src/migration/recovery/self-backup/copy.fs.js';
import { parseManifest } from '../../src/migration/recovery/self-backup/manifest.rules.js';

let folder: string;
let copying: Copying;
const copies: StorageCopies = {
  form: 'sqlite',
  size: async () => 7,
  write: async (file) => writeFileSync(file, 'all rows', { mode: 0o600 }),
  putBack: async () => {},
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-copy-'));
  const data = join(folder, 'data', 'plugin-data');
  for (const [plugin, text] of [
    ['notify-chat', 'state'],
    ['driver-borg', 'a large cache'],
  ] as const) {
    mkdirSync(join(data, plugin), { recursive: true });
    writeFileSync(join(data, plugin, 'file'), text);
  }
  copying = {
    storage: { copies },
    clock: { now: () => 1_700_000_000_000 },
    schema: 1,
    serverVersion: '0.2.0',
    ownKeys: { current: 'the key', former: ['an older key'] },
    settings: { dataDirectory: join(folder, 'data'), installation: 'abc' },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));
const place = () => join(folder, 'copy');
const text = (name: string) => readFileSync(join(place(), name), 'utf8');

describe('a copy', () => {
  it('has the database, the keys and the data of plugins, for its owner alone', async () => {
    const manifest = await writeCopy(copying, place());
    expect(manifest).toMatchObject({ holdfast: '0.2.0', installation: 'abc', database: 'sqlite' });
    const paths = ['database', 'plugin-data/notify-chat/file', 'secret_key', 'secret_key.former'];
    expect(manifest.files.map(({ path }) => path)).toEqual(paths);
    expect([text('database'), text('secret_key')]).toEqual(['all rows', 'the key\n']);
    expect(JSON.parse(text('secret_key.former'))).toEqual(['an older key']);
    expect(statSync(place()).mode & 0o777).toBe(0o700);
    for (const path of paths) expect(statSync(join(place(), path)).mode & 0o777).toBe(0o600);
    expect(await readCopy(place())).toEqual(manifest);
    expect(await sizeOfCopy(copying)).toBe(7 + 'state'.length);
  });

  it('goes into an empty folder, and into no other', async () => {
    mkdirSync(place());
    await writeCopy(copying, place());
    const refusal = { code: 'invalid', detail: expect.stringContaining('is not empty') };
    await expect(writeCopy(copying, place())).rejects.toMatchObject(refusal);
    writeFileSync(join(folder, 'file'), '');
    await expect(writeCopy(copying, join(folder, 'file'))).rejects.toMatchObject(refusal);
  });

  it('gets its name only when complete, and replaces leftovers of a killed run', async () => {
    const failing = { ...copies, write: () => Promise.reject(new Error('the disk is full')) };
    await expect(writeCopy({ ...copying, storage: { copies: failing } }, place())).rejects.toThrow('full');
    expect(readdirSync(folder)).toEqual(['data']);
    mkdirSync(join(folder, '.copy.unfinished'));
    writeFileSync(join(folder, '.copy.unfinished', 'database'), 'half');
    await writeCopy(copying, place());
    expect(readdirSync(folder).sort()).toEqual(['copy', 'data']);
    expect(text('database')).toBe('all rows');
  });

  it('is refused for a storage without copies', async () => {
    const refusal = { detail: expect.stringContaining('lacks "copies"') };
    await expect(writeCopy({ ...copying, storage: {} }, place())).rejects.toMatchObject(refusal);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  it.each([
    ['changed', () => writeFileSync(join(place(), 'database'), 'all Rows')],
    ['missing', () => rmSync(join(place(), 'secret_key'))],
  ])('refuses a copy with a file %s', async (_, damage) => {
    await writeCopy(copying, place());
    damage();
    await expect(readCopy(place())).rejects.toMatchObject({
      detail: expect.stringContaining('incomplete or changed'),
    });
  });

  it.each(['../data/holdfast.db', '/etc/passwd', 'a//b', '', './x'])(
    'names no file like %j',
    async (path) => {
      const manifest = await writeCopy(copying, place());
      const files = [...manifest.files, { path, bytes: 0, sha256: '' }];
      expect(parseManifest(JSON.stringify({ ...manifest, files }))).toBeNull();
      expect(parseManifest('{')).toBeNull();
    },
  );
});
