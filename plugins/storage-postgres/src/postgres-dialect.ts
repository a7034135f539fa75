import type { Log } from '@holdfast/core/plugin';
import { DataTypes, type Executor, QueryTypes, type SqlDialect } from '@holdfast/storage-sequelize';
import { checkRights, checkWritable } from './check-server.js';
import { openPostgres } from './postgres-connections.js';
import { adviceFor, errorKind } from './postgres-errors.js';
import { postgresIds } from './postgres-ids.js';
import { defaultWaits, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';
import { fromStored, toStored } from './stored-text.js';
import { whenThere } from './when-there.js';
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
    open: () => whenThere(() => openPostgres(server, waits), { server, log }),
    ids: postgresIds,
    mark,
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
async function mark({ sequelize }: Executor): Promise<string> {
  const options = { type: QueryTypes.SELECT } as const;
  const [row] = await sequelize.query<{ mark: string }>(
    'SELECT pg_current_snapshot()::text AS mark',
    options,
  );
  return String(row?.mark);
}
