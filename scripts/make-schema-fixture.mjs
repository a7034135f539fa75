#!/usr/bin/env node
/**
 * Creates the fixtures of one release: its schema with made-up rows in every table, as an SQL dump for each storage
 * and as the rows themselves. Run it once per release, before its version counts as published: `npm run build && node
 * scripts/make-schema-fixture.mjs`. Later versions must open every fixture.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allEntities, schemaVersions } from '@holdfast/core/server';
import postgres from '@holdfast/storage-postgres';
import sqlite from '@holdfast/storage-sqlite';
import sqlite3 from 'sqlite3';
import { root } from './prepare/root.mjs';
import { postgresql } from './services/postgresql.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = join(root, 'test', 'fixtures', 'schema');
const rowsOfEach = 3;
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };

const firstOfJanuary = Date.UTC(2026, 0, 1);
const samples = {
  text: (name, number) => `${name} ${number}: 'quoted' "text", ünïcode 🗄️`,
  integer: (_, number) => (number === 1 ? Number.MAX_SAFE_INTEGER : number),
  number: (_, number) => number + 0.25,
  boolean: (_, number) => number % 2 === 1,
  timestamp: (_, number) => firstOfJanuary + number,
  json: (name, number) => ({ name, number, list: [null, true, 'bad\udcffname\0'] }),
};

const folder = mkdtempSync(join(tmpdir(), 'holdfast-fixture-'));
const server = await postgresql.prepare();
try {
  mkdirSync(target, { recursive: true });
  const file = join(folder, 'release.sqlite');
  const rows = await fill(sqlite, { file });
  write('rows.json', JSON.stringify(rows, null, 1));
  write('sqlite.sql', await dumpOfSqlite(file));
  const url = server.env.TEST_POSTGRES_URL;
  const same = await fill(postgres, { url });
  if (JSON.stringify(same) !== JSON.stringify(rows))
    throw new Error('The two storages contain different rows.');
  write('postgres.sql', dumpOfPostgres(url, server.env.TEST_POSTGRES_PROGRAMS));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

function write(end, text) {
  writeFileSync(join(target, `${version}.${end}`), `${text.trimEnd()}\n`);
}

/** The rows of each table as returned by the storage. */
async function fill(plugin, given) {
  const configuration = plugin.configuration.parse(given);
  const storage = await plugin.create({ configuration, log });
  await storage.start({ schema: schemaVersions, stillWorking() {} });
  const rows = {};
  for (const entity of allEntities) {
    for (let number = 1; number <= rowsOfEach; number += 1)
      await storage.insert(entity, rowOf(entity, number));
    rows[entity.name] = await storage.find(entity);
  }
  await storage.stop();
  return rows;
}

/** The last row omits optional columns. */
function rowOf(entity, number) {
  const columns = Object.entries(entity.columns).filter(
    ([, { type, nullable }]) => type !== 'id' && !(nullable && number === rowsOfEach),
  );
  return Object.fromEntries(columns.map(([name, { type }]) => [name, samples[type](name, number)]));
}

async function dumpOfSqlite(file) {
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  const all = (sql) =>
    new Promise((resolve, reject) => {
      database.all(sql, (error, found) => (error ? reject(error) : resolve(found)));
    });
  const objects = await all(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY rowid",
  );
  const lines = objects.map(({ sql }) => `${sql};`);
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => name);
  for (const table of [...tables, 'sqlite_sequence']) {
    const columns = (await all(`PRAGMA table_info("${table}")`)).map(({ name }) => `"${name}"`);
    const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `);
    const rows = await all(`SELECT ${values} AS row FROM "${table}" ORDER BY rowid`);
    if (table === 'sqlite_sequence') lines.push('DELETE FROM sqlite_sequence;');
    for (const { row } of rows) lines.push(`INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${row});`);
  }
  await new Promise((resolve) => database.close(resolve));
  return lines.join('\n');
}

function dumpOfPostgres(url, programs) {
  const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', `--dbname=${url}`];
  const { status, stdout, stderr } = spawnSync(join(programs, 'pg_dump'), options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pg_dump: ${stderr}`);
  // Keep only SQL that any client can run: no comments, no psql commands.
  const lines = stdout.split('\n').filter((line) => line !== '' && !/^(--|\\)/.test(line));
  return lines.join('\n');
}
