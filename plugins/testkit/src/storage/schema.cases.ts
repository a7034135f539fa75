import assert from 'node:assert/strict';
import { col, type Entity, entity, type SchemaChange, type SchemaVersion } from '@holdfast/plugin-api';
import { assertRejected, type OpenStorage } from './context.js';

/** A store that programs with different schemas open, one after another. */
export interface SchemaStore {
  /** How often starts have called `stillWorking` so far. */
  readonly signs: number;
  /** Starts a storage with this schema; it is closed after the case, if not before. */
  open(schema: readonly SchemaVersion[]): Promise<OpenStorage>;
}

export type SchemaChecks = Record<string, (store: SchemaStore) => Promise<void>>;
type Storage = OpenStorage['storage'];

const id = col.id();
const text = col.text().nullable();
const note = entity('note', { id, title: text });
const create = (created: Entity): SchemaChange => ({ kind: 'create-entity', entity: created });
const add = (column: string, definition: Entity['columns'][string]): SchemaChange => ({
  kind: 'add-column',
  entity: 'note',
  column,
  definition,
});
const version = (number: number, ...changes: SchemaChange[]): SchemaVersion => ({
  version: number,
  name: `version-${number}`,
  changes,
});

async function at(
  store: SchemaStore,
  schema: readonly SchemaVersion[],
  work: (storage: Storage) => Promise<void>,
): Promise<void> {
  const { storage, close } = await store.open(schema);
  await work(storage);
  await close();
}

async function rejects(starting: Promise<unknown>, why: string): Promise<Error> {
  const error: unknown = await starting.then(
    () => assert.fail(`It started ${why}.`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, 'The start rejected with something that is not an Error.');
  if (error instanceof assert.AssertionError) throw error;
  return error;
}

const titled = version(1, create(note));
const columns = {
  done: col.boolean.default(false),
  tags: col.json<string[]>().default(['none']),
  rank: col.integer.default(7),
  body: text,
};
const longer = entity('note', { ...note.columns, ...columns });
const lengthened = version(2, ...Object.entries(columns).map(([name, column]) => add(name, column)));
const defaults = { done: false, tags: ['none'], rank: 7, body: null };

export const schemaChecks: SchemaChecks = {
  'missing versions are applied: the rows stay, and new columns have their defaults': async (store) => {
    await at(store, [titled], async (storage) => {
      await storage.insert(note, { title: 'kept' });
      assert.equal(await storage.schemaVersion(), 1);
    });
    await at(store, [titled, lengthened], async (storage) => {
      assert.equal(await storage.schemaVersion(), 2);
      assert.deepEqual(await storage.find(longer), [{ id: 1, title: 'kept', ...defaults }]);
      const added = await storage.insert(longer, { title: 'new', body: 'text', rank: 8 });
      assert.deepEqual(await storage.find(longer, { where: { body: 'text', rank: { gt: 7 } } }), [added]);
      assert.equal(await storage.update(longer, { rank: 7, done: false }, { done: true }), 1);
    });
  },
  'a new store gets all versions, each of them once': async (store) => {
    for (const title of ['first', 'second']) {
      await at(store, [titled, lengthened], async (storage) => {
        await storage.insert(longer, { title });
        assert.equal(await storage.schemaVersion(), 2);
      });
    }
    await at(store, [titled, lengthened], async (storage) =>
      assert.deepEqual(
        (await storage.find(longer)).map(({ title, rank }) => [title, rank]),
        [
          ['first', 7],
          ['second', 7],
        ],
      ),
    );
  },
  'a dropped column loses its values, keys and indexes': async (store) => {
    const keyed = entity(
      'note',
      { id, title: col.text().required(), body: text },
      { unique: [['title']], indexes: [['title', 'body']] },
    );
    const left = entity('note', { id, body: text });
    const schema = [
      version(1, create(keyed)),
      version(2, { kind: 'drop-column', entity: 'note', column: 'title' }),
      version(3, add('title', text)),
    ];
    await at(store, schema.slice(0, 1), async (storage) => {
      await storage.insert(keyed, { title: 'a', body: 'b' });
    });
    await at(store, schema.slice(0, 2), async (storage) => {
      await storage.insert(left, { body: 'c' });
      assert.deepEqual(await storage.find(left), [
        { id: 1, body: 'b' },
        { id: 2, body: 'c' },
      ]);
    });
    await at(store, schema, async (storage) => {
      const titles = (await storage.find(note)).map(({ title }) => title);
      assert.deepEqual(titles, [null, null], 'The dropped column has its old values again.');
      assert.equal(await storage.update(note, {}, { title: 'same' }), 2);
    });
  },
  'a dropped entity loses its rows': async (store) => {
    const schema = [titled, version(2, { kind: 'drop-entity', entity: 'note' }), version(3, create(note))];
    await at(store, [titled], async (storage) => void (await storage.insert(note, { title: 'gone' })));
    await at(store, schema.slice(0, 2), async (storage) => {
      await assertRejected('invalid', storage.find(note));
    });
    await at(store, schema, async (storage) => assert.deepEqual(await storage.find(note), []));
  },
  'an added unique key applies to existing rows': async (store) => {
    const unique = entity('note', { ...note.columns }, { unique: [['title']] });
    const added = version(2, { kind: 'add-index', entity: 'note', columns: ['title'], unique: true });
    await at(store, [titled], async (storage) => void (await storage.insert(note, { title: 'taken' })));
    await at(store, [titled, added], async (storage) => {
      await assertRejected('unique', storage.insert(unique, { title: 'taken' }));
      await storage.insert(unique, { title: 'free' });
    });
  },
  'a version that fails leaves no changes': async (store) => {
    const failing = version(
      2,
      add('body', col.text().default('half')),
      create(entity('other', { id, title: text })),
      { kind: 'add-index', entity: 'note', columns: ['title'], unique: true },
      { kind: 'drop-column', entity: 'note', column: 'title' },
    );
    const mended = version(2, add('body', col.text().default('whole')));
    const rows = [
      { id: 1, title: 'twice' },
      { id: 2, title: 'twice' },
    ];
    await at(store, [titled], async (storage) => {
      for (const { title } of rows) await storage.insert(note, { title });
    });
    await rejects(store.open([titled, failing]), 'though the version makes a key unique that is not');
    await at(store, [titled], async (storage) => {
      assert.equal(await storage.schemaVersion(), 1);
      assert.deepEqual(await storage.find(note), rows);
    });
    await at(store, [titled, mended], async (storage) => {
      const whole = rows.map((row) => ({ ...row, body: 'whole' }));
      assert.deepEqual(await storage.find(entity('note', { ...note.columns, body: text })), whole);
    });
  },
  'a store of a newer version is rejected with both versions, and left unchanged': async (store) => {
    const body = col.text().default('later');
    const later = version(7, add('body', body));
    const laterNote = entity('note', { ...note.columns, body });
    const rows = [{ id: 1, title: 'new', body: 'later' }];
    await at(
      store,
      [titled, later],
      async (storage) => void (await storage.insert(laterNote, { title: 'new' })),
    );
    const { message } = await rejects(store.open([titled]), 'on a store of a newer version');
    for (const named of [/\b7\b/, /\b1\b/])
      assert.match(message, named, 'The error does not name both versions.');
    await at(store, [titled, later], async (storage) => {
      assert.equal(await storage.schemaVersion(), 7);
      assert.deepEqual(await storage.find(laterNote), rows);
    });
  },
  'a start calls stillWorking before each version': async (store) => {
    await at(store, [titled], async () => undefined);
    assert.ok(store.signs >= 1, 'It did not call stillWorking() before the first version.');
    const before = store.signs;
    await at(
      store,
      [titled, lengthened, version(3, { kind: 'drop-entity', entity: 'note' })],
      async () => {},
    );
    assert.ok(store.signs >= before + 2, 'It did not call stillWorking() before each of two versions.');
  },
  'concurrent starts apply the schema to a new store once': async (store) => {
    const opened = await Promise.all([1, 2, 3, 4].map(() => store.open([titled, lengthened])));
    for (const { storage } of opened) await storage.insert(longer, { title: 'one more' });
    for (const { storage } of opened) assert.equal((await storage.find(longer)).length, 4);
  },
};
