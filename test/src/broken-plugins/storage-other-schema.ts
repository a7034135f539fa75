import { type SchemaVersion, type StoragePort, StoreError } from '@holdfast/plugin-api';

/** The storage, started by `start` in place of its own. */
const startedBy = (
  storage: StoragePort,
  start: StoragePort['start'],
  schemaVersion = () => storage.schemaVersion(),
): StoragePort =>
  new Proxy(storage, {
    get(sound, member) {
      if (member === 'start') return start;
      if (member === 'schemaVersion') return schemaVersion;
      const value: unknown = Reflect.get(sound, member, sound);
      return typeof value === 'function' ? value.bind(sound) : value;
    },
  });

const without = (storage: StoragePort, ...kinds: string[]): StoragePort =>
  startedBy(storage, ({ schema, stillWorking }) => {
    const kept = schema.map((version) => ({
      ...version,
      changes: version.changes.filter(({ kind }) => !kinds.includes(kind)),
    }));
    return storage.start({ schema: kept, stillWorking });
  });

/** Knows new entities and indexes only. */
export const addedColumnsIgnored = (storage: StoragePort) => without(storage, 'add-column');

/** Leaves everything where it is. */
export const dropsIgnored = (storage: StoragePort) => without(storage, 'drop-column', 'drop-entity');

/** Opens a store of any later program. */
export const newerOpened = (storage: StoragePort) =>
  startedBy(storage, async (start) => {
    try {
      await storage.start(start);
    } catch (error) {
      const later = Number(/schema version (\d+), but/.exec((error as Error).message)?.[1]);
      if (!(error instanceof StoreError) || !later) throw error;
      const schema = [...start.schema, { version: later, name: 'of others', changes: [] }];
      await storage.start({ ...start, schema });
    }
  });

/** Migrates without a word. */
export const silentStart = (storage: StoragePort) =>
  startedBy(storage, ({ schema }) => storage.start({ schema, stillWorking: () => undefined }));

const most = 1_000;

/** Commits each change of a version by itself. */
export const changesApart = (storage: StoragePort) => {
  const apart = ({ version, name, changes }: SchemaVersion): SchemaVersion[] =>
    changes.map((change, index) => {
      const isLast = index === changes.length - 1;
      return { version: version * most + (isLast ? most - 1 : index), name, changes: [change] };
    });
  return startedBy(
    storage,
    ({ schema, stillWorking }) => storage.start({ schema: schema.flatMap(apart), stillWorking }),
    async () => Math.floor(((await storage.schemaVersion()) + 1) / most) - 1,
  );
};
