import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.js';
import { settings, users } from './entities.js';
import { openFile } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

/** What sequelize or SQLite would read as something else in the words of a statement. */
const conditionTexts = ["'; --", '$1', '$$', "a $9 ' $x", ':name ?', '\\', "\\'", 'a\0b', '$1\0'];
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the database file', () => {
  it('is created with its folders and log for its user only', async () => {
    const file = inFolder('data/deeper/holdfast.sqlite');
    const { storage, close } = await openFile(file);
    await storage.insert(settings, { key: 'key', value: 1 });
    expect(await mode(inFolder('data/deeper'))).toBe('700');
    expect(await readdir(inFolder('data/deeper'))).toEqual([
      'holdfast.sqlite',
      'holdfast.sqlite-shm',
      'holdfast.sqlite-wal',
    ]);
    for (const suffix of ['', '-shm', '-wal']) expect(await mode(file + suffix)).toBe('600');
    await close();
  });

  it('is made private if others could read it', async () => {
    const file = inFolder('open.sqlite');
    await writeFile(file, '');
    await chmod(file, 0o644);
    const { close } = await openFile(file);
    expect(await mode(file)).toBe('600');
    await close();
  });

  it('is one file again after the close', async () => {
    const { storage, close } = await openFile(inFolder('one.sqlite'));
    await storage.insert(settings, { key: 'key', value: 1 });
    await close();
    expect(await readdir(inFolder('.'))).toEqual(['one.sqlite']);
  });

  it('is in WAL mode', async () => {
    const file = inFolder('wal.sqlite');
    await (await openFile(file)).close();
    const database = new sqlite3.Database(file);
    const row = await new Promise((resolve, reject) =>
      database.get('PRAGMA journal_mode', (error, found) => (error ? reject(error) : resolve(found))),
    );
    await new Promise((resolve) => database.close(resolve));
    expect(row).toEqual({ journal_mode: 'wal' });
  });

  it('is unavailable and named if it is invalid', async () => {
    await writeFile(
      inFolder('text'),
      'This is a text, long enough to be taken for a database of some kind. '.repeat(20),
    );
    await mkdir(inFolder('folder'));
    for (const name of ['text', 'folder', 'text/below.sqlite']) {
      const error = await openFile(inFolder(name)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'StoreError', kind: 'unavailable' });
      expect((error as Error).message).toContain(inFolder(name));
    }
  });

  it('is named by an absolute path', () => {
    for (const file of ['holdfast.sqlite', '', ':memory:', '/a\0b', 5]) {
      expect(plugin.configuration.safeParse({ file }).success).toBe(false);
    }
    expect(plugin.configuration.parse({ file: '/data/holdfast.sqlite' })).toEqual({
      file: '/data/holdfast.sqlite',
    });
  });
});

describe('the storage', () => {
  it('reports its health', async () => {
    const { storage, close } = await openFile(inFolder('healthy.sqlite'));
    expect(await storage.health?.()).toBeNull();
    await close();
    expect(await storage.health?.()).toContain('is not open');
  });

  it('keeps NUL inside of text and finds it', async () => {
    const { storage, close } = await openFile(inFolder('nul.sqlite'));
    const row = await storage.insert(users, { username: 'a\0b', password_hash: 'x', created_at: 1 });
    expect(await storage.find(users, { where: { username: { in: ['a\0b'] } } })).toEqual([row]);
    expect(await storage.find(users, { where: { username: 'a' } })).toEqual([]);
    await close();
  });

  it('takes every text in a condition for a value, of changes too', async () => {
    const { storage, close } = await openFile(inFolder('conditions.sqlite'));
    for (const text of conditionTexts) {
      const row = { username: text, password_hash: 'x', created_at: 1 };
      await storage.insert(users, row);
      for (const username of [text, { in: [text] }, { gte: text, lte: text }]) {
        expect(await storage.update(users, { username, password_hash: { not: text } }, { email: text })).toBe(
          1,
        );
        expect(await storage.find(users, { where: { username, email: { in: [text] } } })).toMatchObject([
          row,
        ]);
      }
      expect(await storage.remove(users, { username: { gte: text, lte: text }, email: { in: [text] } })).toBe(
        1,
      );
    }
    expect(await storage.find(users)).toEqual([]);
    await close();
  });
});
