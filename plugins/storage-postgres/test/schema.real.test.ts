import { schemaVersions } from '@holdfast/core/server';
import type { Entity, SchemaVersion } from '@holdfast/plugin-api';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { dropDatabases, type Line, makeLog, newDatabase, run, storageOf, urlOf } from './databases.js';
import { users } from './entities.js';

afterAll(dropDatabases);

const text = { type: 'text', nullable: true } as const;
const note: Entity = {
  name: 'note',
  columns: { id: { type: 'id', nullable: false }, title: text },
  unique: [],
  indexes: [],
};
const longerNote: Entity = { ...note, columns: { ...note.columns, body: text } };
const first: SchemaVersion = {
  version: 1,
  name: 'notes',
  changes: [{ kind: 'create-entity', entity: note }],
};
const second = (...changes: SchemaVersion['changes']): SchemaVersion => ({
  version: 2,
  name: 'more',
  changes,
});

/** Runs `work` on the database at these versions and closes it. */
async function at<T>(
  url: string,
  versions: readonly SchemaVersion[],
  work: (storage: ReturnType<typeof storageOf>) => Promise<T>,
) {
  const storage = storageOf(url, versions);
  await storage.start();
  try {
    return await work(storage);
  } finally {
    await storage.stop();
  }
}

describe('the schema', () => {
  it('refuses that of a newer program in one sentence with both versions', async () => {
    const url = urlOf(await newDatabase());
    const later: SchemaVersion = { version: 7, name: 'later', changes: [] };
    await at(url, [...schemaVersions, later], async () => {});
    const newest = schemaVersions.at(-1)?.version;
    await expect(storageOf(url).start()).rejects.toMatchObject({
      name: 'StoreError',
      kind: 'invalid',
      message: expect.stringContaining(`version 7, but this program knows versions up to ${newest}`),
    });
    await at(url, [...schemaVersions, later], async (storage) =>
      expect(await storage.find(users)).toEqual([]),
    );
  });

  it('goes up by the versions that are missing, with the rows kept', async () => {
    const url = urlOf(await newDatabase());
    await at(url, [first], (storage) => storage.insert<Entity>(note, { title: 'kept' }));
    const done = { type: 'boolean', nullable: false, default: false } as const;
    const tags = { type: 'json', nullable: false, default: ["it's none"] } as const;
    const up = second(
      { kind: 'add-column', entity: 'note', column: 'done', definition: done },
      { kind: 'add-column', entity: 'note', column: 'tags', definition: tags },
      { kind: 'add-index', entity: 'note', columns: ['title'], unique: true },
    );
    const entity = { ...note, columns: { ...note.columns, done, tags }, unique: [['title']] };
    await at(url, [first, up], async (storage) => {
      expect(await storage.find<Entity>(entity)).toEqual([
        { id: 1, title: 'kept', done: false, tags: ["it's none"] },
      ]);
      await expect(storage.insert<Entity>(entity, { title: 'kept' })).rejects.toMatchObject({ key: 'title' });
    });
  });

  it('stays unchanged if one change of a version fails', async () => {
    const url = urlOf(await newDatabase());
    const addBody = { kind: 'add-column', entity: 'note', column: 'body', definition: text } as const;
    const failing = second(addBody, { kind: 'add-index', entity: 'note', columns: ['title'], unique: true });
    await at(url, [first], async (storage) => {
      for (let copy = 0; copy < 2; copy++) await storage.insert<Entity>(note, { title: 'twice' });
    });
    await expect(storageOf(url, [first, failing]).start()).rejects.toMatchObject({ kind: 'unique' });
    await at(url, [first], async (storage) => {
      await expect(storage.find<Entity>(longerNote)).rejects.toMatchObject({ kind: 'invalid' });
      await storage.remove<Entity>(note, { id: 2 });
    });
    await at(url, [first, failing], async (storage) =>
      expect(await storage.find<Entity>(longerNote)).toHaveLength(1),
    );
  });

  it('loses columns with their indexes, and entities', async () => {
    const url = urlOf(await newDatabase());
    const indexed = { ...longerNote, unique: [['title']], indexes: [['title', 'body']] };
    const other = { ...note, name: 'other' };
    const created: SchemaVersion = {
      ...first,
      changes: [indexed, other].map((entity) => ({ kind: 'create-entity', entity })),
    };
    await at(url, [created], (storage) => storage.insert<Entity>(indexed, { title: 'a', body: 'b' }));
    const down = second(
      { kind: 'drop-column', entity: 'note', column: 'title' },
      { kind: 'drop-entity', entity: 'other' },
    );
    const left = { ...note, columns: { id: note.columns.id, body: text } } as Entity;
    await at(url, [created, down], async (storage) => {
      expect(await storage.find<Entity>(left)).toEqual([{ id: 1, body: 'b' }]);
      await expect(storage.find<Entity>(other)).rejects.toMatchObject({ kind: 'invalid' });
    });
  });

  it('is made once when several storages start on a new database', async () => {
    for (let round = 0; round < 4; round += 1) {
      const url = urlOf(await newDatabase());
      const storages = Array.from({ length: 4 }, () => storageOf(url));
      await Promise.all(storages.map((storage) => storage.start()));
      for (const storage of storages) expect(await storage.find(users)).toEqual([]);
      await Promise.all(storages.map((storage) => storage.stop()));
    }
  });

  it('waits and reports it while another process changes it', async () => {
    const database = await newDatabase();
    const holder = new pg.Client({ connectionString: urlOf(database) });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(5209715480166)');
    const lines: Line[] = [];
    const storage = storageOf(urlOf(database), schemaVersions, makeLog(lines));
    const started = storage.start();
    await expect
      .poll(() => lines.map(({ message }) => message))
      .toContain('another instance prepares the database; waiting');
    expect(await run("SELECT 1 FROM pg_tables WHERE tablename = 'user'", database)).toEqual([]);
    await holder.end();
    await started;
    expect(await storage.find(users)).toEqual([]);
    await storage.stop();
  });
});
