import { StoreError } from '@holdfast/plugin-api';
import { QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import type { PostgresServer } from './postgres-server.js';

const oldest = 12;

/** @throws StoreError `invalid` for a server that can't keep what it is given, else what the client threw. */
export async function checkServer(sequelize: Sequelize, { target }: PostgresServer): Promise<void> {
  const [facts] = await sequelize.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding",
    { type: QueryTypes.SELECT },
  );
  if (Number.parseInt(facts?.version ?? '', 10) < oldest) {
    throw new StoreError(
      'invalid',
      `The server of ${target} is PostgreSQL ${facts?.version}; use version ${oldest} or newer.`,
    );
  }
  if (facts?.encoding !== 'UTF8') {
    throw new StoreError(
      'invalid',
      `The database ${target} has the encoding ${facts?.encoding}; create one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
}

/** Of a standby or a user who may only read. @throws StoreError `unavailable` */
export async function checkWritable(sequelize: Sequelize, { target, user }: PostgresServer): Promise<void> {
  const [facts] = await sequelize.query<{ read_only: string }>(
    "SELECT current_setting('transaction_read_only') AS read_only",
    { type: QueryTypes.SELECT },
  );
  if (facts?.read_only !== 'on') return;
  throw new StoreError(
    'unavailable',
    `The database ${target} is read-only for the user ${user}; name the primary server and a user who may write.`,
  );
}

interface Lack {
  name: string;
}

/** @throws StoreError `unavailable` naming the first of our tables that the user may not read and change. */
export async function checkRights(
  sequelize: Sequelize,
  { target, user }: PostgresServer,
  tables: string[],
): Promise<void> {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
  const lacking = rights.map((right) => `NOT has_table_privilege(c.oid, '${right}')`).join(' OR ');
  const [lack] = await sequelize.query<Lack>(
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
