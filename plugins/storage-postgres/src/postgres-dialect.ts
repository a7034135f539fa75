import type { Log } from '@holdfast/plugin-api';
import { DataTypes, type Executor, QueryTypes, type SqlDialect } from '@holdfast/storage-sequelize';
import { checkRights, checkWritable } from './check-server.js';
import { openPostgres } from './postgres-connections.js';
import { postgresCopies } from './postgres-copies.js';
import { adviceFor, errorKind } from './postgres-errors.js';
import { defaultWaits, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';
import { whileAlone } from './while-alone.js';

export interface PostgresOptions {
  server: PostgresServer;
  log: Log;
  waits?: Partial<PostgresWaits>;
}

/** "C" compares bytes, which is by code point in UTF-8; collations of languages take different texts for equal order. */
const text = 'TEXT COLLATE "C"';

export function postgresDialect({ server, log, waits: given }: PostgresOptions): SqlDialect {
  const waits = { ...defaultWaits, ...given };
  return {
    target: server.target,
    columnTypes: {
      id: DataTypes.BIGINT,
      integer: DataTypes.BIGINT,
      number: DataTypes.DOUBLE,
      text,
      boolean: DataTypes.BOOLEAN,
      timestamp: DataTypes.BIGINT,
      // Not JSONB, which takes neither NUL nor lone surrogates and forgets the order of keys.
      json: text,
    },
    open: () => openPostgres(server, { waits, log }),
    ids,
    copies: postgresCopies(server, waits),
    returnsIds: true,
    changeToken,
    errorKind,
    adviceFor: (error) => adviceFor(error, server),
    text: { toStored, fromStored },
    // An index entry has to fit into a third of a page.
    uniqueText: (column) => `md5(${column})`,
    whileAlone: (_, work) => whileAlone(server, { waits, log, work }),
    checkTables: async ({ write }, tables) =>
      write(async ({ sequelize }) => {
        await checkWritable(sequelize, server);
        await checkRights(sequelize, server, tables);
      }),
    checkHealth: ({ write }) => write(({ sequelize }) => checkWritable(sequelize, server)),
  };
}

/** Which transactions a read would see: the same ones mean the same rows. */
async function changeToken({ sequelize }: Executor): Promise<string> {
  const options = { type: QueryTypes.SELECT } as const;
  const [row] = await sequelize.query<{ token: string }>(
    'SELECT pg_current_snapshot()::text AS token',
    options,
  );
  return String(row?.token);
}

const sequence = "pg_get_serial_sequence($1, 'id')::regclass";

/** Each table has a sequence of its own, which knows what it gave also when the row is gone. */
const ids: NonNullable<SqlDialect['ids']> = {
  async last({ sequelize, transaction }, table) {
    const [row] = await sequelize.query<{ last: string | null }>(
      `SELECT pg_sequence_last_value(${sequence}) AS last`,
      { bind: [`"${table}"`], type: QueryTypes.SELECT, transaction },
    );
    return Number(row?.last ?? 0);
  },

  async reserve({ sequelize, transaction }, table, id) {
    // A sequence begins with 1: for 0 there is nothing to set.
    await sequelize.query(
      `SELECT setval(${sequence}, highest) FROM (SELECT GREATEST($2::bigint, MAX(id),
         pg_sequence_last_value(${sequence})) AS highest FROM "${table}") AS ids WHERE highest > 0`,
      { bind: [`"${table}"`, id], type: QueryTypes.SELECT, transaction },
    );
  },
};

/**
 * PostgreSQL keeps no NUL in a text. It stands as U+0001 U+0001 and U+0001 itself as U+0001 U+0002, which keeps the
 * order by code point. JSON texts hold neither: they escape control characters.
 */
export const toStored = (text: string): string =>
  text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001');

export const fromStored = (text: string): string =>
  text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001');
