import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import plugin from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), `holdfast-sqlite-`));
const data = join(folder, `it's "here" $(touch pwned)`);
const database = join(data, 'shop *.db');
const sql = (file: string, text: string) =>
  execFileSync('sqlite3', [file, text], { encoding: 'utf8' }).trim();

describe('the source suite', () => {
  beforeAll(() => {
    mkdirSync(data);
    sql(
      database,
      `PRAGMA journal_mode = wal; CREATE TABLE "a ""table""" (name); INSERT INTO "a ""table""" VALUES ('Ann'), ('Bob');
       CREATE TABLE filler (text); INSERT INTO filler VALUES (hex(randomblob(100000)));`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const cases = sourceSuite({
    open: async () => ({ source: await plugin.create({} as never), close: async () => {} }),
    settings: { files: `${data}/*.db` },
    failing: {
      'a file that is not there': { files: join(folder, 'none.db') },
      'a text': { files: '/etc/passwd' },
    },
    async assertReleased() {
      expect(readdirSync('/var/tmp').filter((name) => name.startsWith('holdfast-suite'))).toEqual([]);
      expect(existsSync('pwned')).toBe(false);
    },
    async vanish() {
      renameSync(data, `${data}-away`);
      return async () => renameSync(`${data}-away`, data);
    },
    async assertRestored(into) {
      expect(sql(join(data, into), 'SELECT count(*) FROM "a ""table"""')).toBe('2');
    },
    async removeRestored(into) {
      rmSync(join(data, into), { force: true });
    },
  });
  for (const { name, run } of cases) test(name, run);
});
