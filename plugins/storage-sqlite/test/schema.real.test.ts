import { schemaVersions } from '@holdfast/core/server';
import type { Entity, SchemaVersion } from '@holdfast/plugin-api';
import { describe, expect, it } from 'vitest';
import { users } from './entities.js';
import { storageOf, textEntity } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();
const text = { type: 'text', nullable: true } as const;
const note = textEntity('note', ['title']);
const longerNote = textEntity('note', ['title', 'body']);
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

/** Runs `work` on the file at these versions and closes it. */
async function at<T>(
  file: string,
  versions: SchemaVersion[],
  work: (storage: ReturnType<typeof storageOf>) => Promise<T>,
) {
  const storage = storageOf(file, versions);
  await storage.start();
  try {
    return await work(storage);
  } finally {
    await storage.stop();
  }
}

describe('the schema', () => {
  it('refuses that of a newer program in one sentence with both versions', async () => {
    const file = inFolder('newer.sqlite');
    const later: SchemaVersion = { version: 7, name: 'later', changes: [] };
    await at(file, [...schemaVersions, later], async () => {});
    const error = await storageOf(file)
      .start()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreError', kind: 'invalid' });
    const newest = schemaVersions.at(-1)?.version;
    expect((error as Error).message).toContain(`version 7, but this program knows versions up to ${newest}`);
    await at(file, [...schemaVersions, later], async (storage) =>
      expect(await storage.find(users)).toEqual([]),
    );
  });

  it('goes up by the versions that are missing, with the rows kept', async () => {
    const file = inFolder('up.sqlite');
    await at(file, [first], (storage) => storage.insert<Entity>(note, { title: 'kept' }));
    const done = { type: 'boolean', nullable: false, default: false } as const;
    const tags = { type: 'json', nullable: false, default: ['none'] } as const;
    const up = second(
      { kind: 'add-column', entity: 'note', column: 'done', definition: done },
      { kind: 'add-column', entity: 'note', column: 'tags', definition: tags },
    );
    const entity = { ...note, columns: { ...note.columns, done, tags } };
    await at(file, [first, up], async (storage) => {
      expect(await storage.find<Entity>(entity)).toEqual([
        { id: 1, title: 'kept', done: false, tags: ['none'] },
      ]);
    });
  });

  it('is the same on a new database with all later columns', async () => {
    const file = inFolder('new.sqlite');
    const created: SchemaVersion = { ...first, changes: [{ kind: 'create-entity', entity: longerNote }] };
    const up = second({ kind: 'add-column', entity: 'note', column: 'body', definition: text });
    await at(file, [created, up], async (storage) => {
      await storage.insert<Entity>(longerNote, { title: 'a', body: 'b' });
      expect(await storage.find<Entity>(longerNote)).toEqual([{ id: 1, title: 'a', body: 'b' }]);
    });
  });

  it('stays unchanged if one change of a version fails', async () => {
    const file = inFolder('failing.sqlite');
    const addBody = { kind: 'add-column', entity: 'note', column: 'body', definition: text } as const;
    const failing = second(addBody, { kind: 'add-index', entity: 'note', columns: ['title'], unique: true });
    await at(file, [first], async (storage) => {
      for (let copy = 0; copy < 2; copy++) await storage.insert<Entity>(note, { title: 'twice' });
    });
    await expect(storageOf(file, [first, failing]).start()).rejects.toMatchObject({
      kind: 'unique',
      key: 'title',
    });
    await at(file, [first], async (storage) => {
      await expect(storage.find<Entity>(longerNote)).rejects.toMatchObject({ kind: 'invalid' });
      await storage.remove<Entity>(note, { id: 2 });
    });
    await at(file, [first, failing], async (storage) => {
      await expect(storage.insert<Entity>(longerNote, { title: 'twice' })).rejects.toMatchObject({
        key: 'title',
      });
    });
  });

  it('loses columns with their indexes, and entities', async () => {
    const file = inFolder('down.sqlite');
    const indexed = textEntity('note', ['title', 'body'], {
      unique: [['title']],
      indexes: [['title', 'body']],
    });
    const other = textEntity('other', ['name']);
    const created: SchemaVersion = {
      ...first,
      changes: [indexed, other].map((entity) => ({ kind: 'create-entity', entity })),
    };
    await at(file, [created], (storage) => storage.insert<Entity>(indexed, { title: 'a', body: 'b' }));
    const down = second(
      { kind: 'drop-column', entity: 'note', column: 'title' },
      { kind: 'drop-entity', entity: 'other' },
    );
    await at(file, [created, down], async (storage) => {
      expect(await storage.find<Entity>(textEntity('note', ['body']))).toEqual([{ id: 1, body: 'b' }]);
      await expect(storage.find<Entity>(other)).rejects.toMatchObject({ kind: 'invalid' });
    });
  });

  it('is made once when several storages start on a new file', async () => {
    // They meet at the same moment only now and then.
    const rounds = process.env.TEST_RING === '3' ? 40 : 8;
    for (let round = 0; round < rounds; round += 1) {
      const storages = Array.from({ length: 4 }, () => storageOf(inFolder(`together-${round}.sqlite`)));
      await Promise.all(storages.map((storage) => storage.start()));
      for (const storage of storages) expect(await storage.find(users)).toEqual([]);
      await Promise.all(storages.map((storage) => storage.stop()));
    }
  });
});
