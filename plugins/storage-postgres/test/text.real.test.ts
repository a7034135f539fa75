import { inspect } from 'node:util';
import type { Entity } from '@holdfast/plugin-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromStored, toStored } from '../src/postgres-dialect.js';
import { dropDatabases, newDatabase, openDatabase, run, urlOf } from './databases.js';
import { settings, users } from './entities.js';

const user = (username: string) => ({ username, password_hash: 'x', created_at: 1 });

describe('text that PostgreSQL does not store directly', () => {
  let database: string;
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await newDatabase();
    opened = await openDatabase(urlOf(database));
  });
  afterAll(async () => {
    await opened?.close();
    await dropDatabases();
  });

  it('NUL inside of text is kept, found, ordered by code point and unique', async () => {
    const { storage } = opened;
    const names = [
      '\0',
      '\0\0',
      '\0\u0001',
      '\u0001',
      '\u0001\0',
      '\u0001\u0001',
      '\u0001\u0002',
      '\u0002',
      'a\0b',
    ];
    for (const name of [...names].reverse()) await storage.insert(users, user(name));
    const rows = await storage.find(users, { order: [['username', 'asc']] });
    expect(rows.map(({ username }) => username)).toEqual(names);
    for (const username of names) {
      expect(await storage.find(users, { where: { username: { in: [username] } } })).toHaveLength(1);
      await expect(storage.insert(users, user(username))).rejects.toMatchObject({
        kind: 'unique',
        key: 'username',
      });
    }
    const groups = await storage.aggregate(users, {
      where: { username: { lt: '\u0001' } },
      groupBy: ['username'],
      measures: { rows: { count: true } },
    });
    expect(groups.map(({ username }) => username).sort()).toEqual(['\0', '\0\0', '\0\u0001']);
  });

  it('treats every text in a condition or change as a value', async () => {
    const { storage } = opened;
    for (const text of ["'; --", '$1', '$$', "a $9 ' $x", ':name ?', '\\', "\\'", 'c\0d', '$1\0']) {
      await storage.insert(users, user(text));
      for (const username of [text, { in: [text] }, { gte: text, lte: text }]) {
        expect(await storage.update(users, { username, password_hash: { not: text } }, { email: text })).toBe(
          1,
        );
        const found = await storage.find(users, { where: { username, email: { in: [text] } } });
        expect(found).toMatchObject([user(text)]);
      }
      expect(await storage.remove(users, { username: { gte: text, lte: text }, email: { in: [text] } })).toBe(
        1,
      );
    }
  });

  it('returns every text of these characters', () => {
    const characters = ['\0', '\u0001', '\u0002', 'a'];
    const texts = [''];
    for (let length = 0; length < 5; length += 1) {
      for (const text of texts.slice())
        if (text.length === length) texts.push(...characters.map((c) => text + c));
    }
    expect(texts.length).toBe(1365);
    for (const text of texts) expect(fromStored(toStored(text))).toBe(text);
    const byCodePoint = (a: string, b: string) => (a < b ? -1 : Number(a > b));
    expect([...texts].sort(byCodePoint)).toEqual(texts.map(toStored).sort(byCodePoint).map(fromStored));
  });

  it('NUL and lone surrogates in JSON', async () => {
    const value = { 'bad\udcffkey\0': ['\ud83d', '\0\u0001', { z: 1, a: 2 }] };
    const { id } = await opened.storage.insert(settings, { key: 'names', value });
    const [row] = await opened.storage.find(settings, { where: { id } });
    expect(row?.value).toEqual(value);
    expect(JSON.stringify(row?.value)).toBe(JSON.stringify(value));
  });

  it('names the right key for values with quotes, line ends and commas', async () => {
    for (const name of ['a, b', 'line\nend', "it's", '(x)=(y)']) {
      await opened.storage.insert(users, user(name));
      await expect(opened.storage.insert(users, user(name))).rejects.toMatchObject({ key: 'username' });
    }
  });

  it('shows the statement of an error without its values', async () => {
    await opened.storage.insert(users, user('taken'));
    const error = await opened.storage
      .insert(users, { ...user('taken'), password_hash: 'of-a-password' })
      .catch((reason: Error) => reason);
    const { cause } = error as { cause?: { sql?: string } };
    expect(cause?.sql).toContain('INSERT INTO "user"');
    expect(inspect(error, { depth: 9 })).not.toMatch(/of-a-password|'taken'|\(taken\)/);
  });

  it('ids are identities that rows may be moved with', async () => {
    const [column] = await run<{ identity: string }>(
      "SELECT identity_generation AS identity FROM information_schema.columns WHERE table_name = 'user' AND column_name = 'id'",
      database,
    );
    expect(column?.identity).toBe('BY DEFAULT');
  });

  it('compares text by "C" in any database', async () => {
    const others = await run(
      `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
         AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
      database,
    );
    expect(others).toEqual([]);
  });

  it('rejects an unknown table as invalid', async () => {
    const entity: Entity = {
      name: 'nothing',
      columns: { id: { type: 'id', nullable: false } },
      unique: [],
      indexes: [],
    };
    await expect(opened.storage.find(entity)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
