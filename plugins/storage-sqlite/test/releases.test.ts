/** Databases of every release, made by `scripts/make-schema-fixture.mjs`, opened with the code of today. */

import { readdirSync, readFileSync } from 'node:fs';
import { allEntities, schemaVersions } from '@holdfast/core/server';
import type { Entity, SchemaVersion } from '@holdfast/plugin-api';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import { storageOf, textEntity } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

/** A database as that release left it, and the storage on it. */
async function restored(version: string) {
  const file = inFolder(`${version}.sqlite`);
  const database = new sqlite3.Database(file);
  const dump = read(`${version}.sqlite.sql`);
  await new Promise<void>((resolve, reject) =>
    database.exec(dump, (error) => (error ? reject(error) : resolve())),
  );
  await new Promise((resolve) => database.close(resolve));
  return (versions: readonly SchemaVersion[]) => storageOf(file, versions);
}

const folder = new URL('../../../test/fixtures/schema/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const releases = readdirSync(folder).flatMap((name) => /^(.+)\.rows\.json$/.exec(name)?.[1] ?? []);

type Rows = Record<string, Record<string, unknown>[]>;
type Storage = ReturnType<typeof storageOf>;

async function expectRows(storage: Storage, rows: Rows, entities: readonly Entity[] = allEntities) {
  const known = entities.filter(({ name }) => name in rows);
  expect(known.map(({ name }) => name).sort()).toEqual(Object.keys(rows).sort());
  for (const entity of known) {
    const found = await storage.find<Entity>(entity);
    expect([entity.name, found]).toEqual([
      entity.name,
      rows[entity.name]?.map((row) => expect.objectContaining(row)),
    ]);
  }
}

/** One that no row has. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value} again`;
  return typeof value === 'number' ? value + 1_000 : value;
}

/** A version that is still to come. */
const added = { type: 'text', nullable: false, default: "of today's" } as const;
const note = textEntity('note_of_later', ['title']);
const newest = Math.max(...schemaVersions.map(({ version }) => version));
const later: SchemaVersion = {
  version: newest + 1,
  name: 'later',
  changes: [
    { kind: 'add-column', entity: 'repository', column: 'added', definition: added },
    { kind: 'add-index', entity: 'repository', columns: ['added'], unique: false },
    { kind: 'create-entity', entity: note },
  ],
};

describe('a database of an earlier release', () => {
  it.each(releases)('%s is opened with all its rows, and takes new ones', async (version) => {
    const open = await restored(version);
    const rows = JSON.parse(read(`${version}.rows.json`)) as Rows;
    const storage = open(schemaVersions);
    await storage.start();
    await expectRows(storage, rows);
    for (const entity of allEntities) {
      const [, last] = await storage.find<Entity>(entity, { order: [['id', 'desc']], limit: 2 });
      // A table of a later version.
      if (!(entity.name in rows)) {
        expect(last).toBeUndefined();
        continue;
      }
      const { id, ...copy } = last as Record<string, unknown>;
      const changed = Object.entries(copy).map(([name, value]) => [name, another(value)]);
      const { id: next } = await storage.insert<Entity>(entity, Object.fromEntries(changed));
      expect(next, entity.name).toBeGreaterThan(id as number);
    }
    await storage.stop();
  });

  it.each(releases)('upgrades %s to a later version that the current code then refuses', async (version) => {
    const open = await restored(version);
    const rows = JSON.parse(read(`${version}.rows.json`)) as Rows;
    const storage = open([...schemaVersions, later]);
    await storage.start();
    await expectRows(storage, rows);
    const repository = allEntities.find(({ name }) => name === 'repository') as Entity;
    const extended = { ...repository, columns: { ...repository.columns, added } };
    const found = await storage.find<Entity>(extended);
    expect(found.map((row) => row.added)).toEqual(found.map(() => added.default));
    expect((await storage.insert<Entity>(note, { title: 'first' })).id).toBe(1);
    await storage.stop();
    await expect(open(schemaVersions).start()).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(`schema version ${newest + 1}`),
    });
  });
});
