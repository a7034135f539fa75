import { StoreError } from '@holdfast/plugin-api';
import { QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import { adviceReadOnly } from './postgres-errors.js';
import type { PostgresServer } from './postgres-server.js';

const oldest = 12;

const settingsOf = (sequelize: Sequelize, names: string[]) =>
  sequelize.query<{ value: string }>(
    'SELECT current_setting(name) AS value FROM unnest($1::text[]) AS name',
    {
      bind: [names],
      type: QueryTypes.SELECT,
    },
  );

/** @throws StoreError `invalid` for a server that can't keep what it is given, else what the client threw. */
export async function checkServer(sequelize: Sequelize, { target }: PostgresServer): Promise<void> {
  const [version, encoding] = await settingsOf(sequelize, ['server_version', 'server_encoding']);
  if (Number.parseInt(version?.value ?? '', 10) < oldest) {
    throw new StoreError(
      'invalid',
      `The server of ${target} is PostgreSQL ${version?.value}; use version ${oldest} or newer.`,
    );
  }
  if (encoding?.value === 'UTF8') return;
  throw new StoreError(
    'invalid',
    `The database ${target} has the encoding ${encoding?.value}; create one with ENCODING 'UTF8' TEMPLATE template0.`,
  );
}

/** Of a standby or a user who may only read. @throws StoreError `unavailable` */
export async function checkWritable(sequelize: Sequelize, server: PostgresServer): Promise<void> {
  const [readOnly] = await settingsOf(sequelize, ['transaction_read_only']);
  if (readOnly?.value === 'on') throw new StoreError('unavailable', adviceReadOnly(server));
}

/** @throws StoreError `unavailable` naming the first of our tables that the user may not read and change. */
export async function checkRights(
  sequelize: Sequelize,
  { target, user }: PostgresServer,
  tables: string[],
): Promise<void> {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
  const lacking = rights.map((right) => `NOT has_table_privilege(c.oid, '${right}')`).join(' OR ');
  const [lack] = await sequelize.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind = 'r' AND c.relname = ANY($1::text[]) AND (${lacking}) ORDER BY 1 LIMIT 1`,
    { bind: [tables], type: QueryTypes.SELECT },
  );
  if (!lack) return;
  throw new StoreError(
    'unavailable',
    `The user ${user} may not read and change the table "${lack.name}" of the database ${target}; ` +
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public to it, or make it their owner.',
  );
}
