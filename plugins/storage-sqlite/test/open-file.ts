import { schemaVersions } from '@holdfast/core/server';
import type { Entity, PluginContext, SchemaVersion, StorageStart } from '@holdfast/plugin-api';
import { sqlStorage } from '@holdfast/storage-sequelize';
import plugin from '../src/index.js';
import { sqliteDialect } from '../src/sqlite-dialect.js';

const startAt = (schema: readonly SchemaVersion[]): StorageStart => ({ schema, stillWorking: () => {} });
export const ourStart = startAt(schemaVersions);

/** The plugin, created and started as the host does it. */
export async function openFile(file: string, start = ourStart) {
  const configuration = plugin.configuration.parse({ file });
  // The other parts of a context are not for a plugin that is one file.
  const storage = await plugin.create({ configuration } as PluginContext<{ file: string }>);
  await storage.start(start);
  return { storage, close: async () => storage.stop?.() };
}

/** A storage with a schema history of the test's own, not started. */
export function storageOf(file: string, versions: readonly SchemaVersion[] = schemaVersions) {
  const storage = sqlStorage({ dialect: sqliteDialect(file) });
  const start = storage.start.bind(storage);
  return Object.assign(storage, { start: () => start(startAt(versions)) });
}

/** An entity of the test's own with text columns. */
export function textEntity(name: string, columns: string[], keys: Partial<Entity> = {}): Entity {
  const text = columns.map((column) => [column, { type: 'text', nullable: true } as const]);
  const id = { type: 'id', nullable: false } as const;
  return { name, columns: { id, ...Object.fromEntries(text) }, unique: [], indexes: [], ...keys };
}
