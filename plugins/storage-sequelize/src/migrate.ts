import { type Entity, type SchemaVersion, type StorageStart, StoreError } from '@holdfast/plugin-api';
import type { Connections, Executor, SqlDialect } from './dialect.js';
import { applyChanges } from './schema-changes.js';
import { SqlSession } from './session.js';

/** The versions that a database went through. */
const schemaHistory = {
  name: 'schema_version',
  columns: {
    id: { type: 'id', nullable: false },
    version: { type: 'integer', nullable: false },
    name: { type: 'text', nullable: false },
    applied_at: { type: 'timestamp', nullable: false },
  },
  unique: [['version']],
  indexes: [],
} satisfies Entity;

/**
 * Brings the database to the newest version, each one in a transaction with its row of the history. Any number
 * of processes may do it at once.
 * @throws StoreError `invalid` when the database is of a newer program.
 */
export async function migrate(
  connections: Connections,
  dialect: SqlDialect,
  { schema, stillWorking }: StorageStart,
): Promise<void> {
  const applied = await appliedVersions(connections.reader, dialect);
  const newest = Math.max(0, ...schema.map(({ version }) => version));
  const stored = Math.max(0, ...applied);
  if (stored > newest) throw newerSchema(dialect.target, stored, newest);
  const missing = schema.filter(({ version }) => !applied.includes(version));
  if (missing.length === 0) return;
  const alone = dialect.whileAlone ?? ((_, work) => work(connections));
  await alone(connections, async ({ transaction }) => {
    for (const version of missing.sort((a, b) => a.version - b.version)) {
      stillWorking();
      await transaction((executor) => applyVersion(executor, dialect, version));
    }
  });
}

async function applyVersion(executor: Executor, dialect: SqlDialect, version: SchemaVersion): Promise<void> {
  await applyChanges(executor, dialect, [{ kind: 'create-entity', entity: schemaHistory }]);
  // Another process may have been faster.
  if ((await appliedVersions(executor, dialect)).includes(version.version)) return;
  await applyChanges(executor, dialect, version.changes);
  const row = { version: version.version, name: version.name, applied_at: Date.now() };
  await new SqlSession(executor, dialect).insert(schemaHistory, row);
}

async function appliedVersions(executor: Executor, dialect: SqlDialect): Promise<number[]> {
  const tables = executor.sequelize.getQueryInterface();
  if (!(await tables.tableExists(schemaHistory.name, { transaction: executor.transaction }))) return [];
  const rows = await new SqlSession(executor, dialect).find(schemaHistory);
  return rows.map(({ version }) => version as number);
}

/** The newest of them, 0 for none. */
export const storedVersion = async (executor: Executor, dialect: SqlDialect): Promise<number> =>
  Math.max(0, ...(await appliedVersions(executor, dialect)));

function newerSchema(target: string, stored: number, newest: number): StoreError {
  return new StoreError(
    'invalid',
    `The database ${target} has schema version ${stored}, but this program knows versions up to ${newest}: ` +
      'start the program that wrote it or a newer one, or use another database.',
  );
}
