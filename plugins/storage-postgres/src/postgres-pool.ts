import { Sequelize } from '@holdfast/storage-sequelize';
import pg, { type Client, type Done } from 'pg';
import type { PostgresServer } from './postgres-server.js';

export interface PostgresWaits {
  /** For a new connection. */
  connectMs: number;
  /** For a free connection of the pool. */
  acquireMs: number;
  /** How long the server works on a statement; the client gives up a second later. */
  statementMs: number;
  /** How long a statement waits for the lock of another one. */
  lockMs: number;
  /** How long the server keeps the transaction of a client that is silent. */
  idleTransactionMs: number;
}

export const defaultWaits: PostgresWaits = {
  connectMs: 5_000,
  acquireMs: 10_000,
  statementMs: 9_000,
  lockMs: 5_000,
  idleTransactionMs: 10_000,
};

export interface PoolOptions {
  size: number;
  isolation: 'read committed' | 'serializable';
  waits: PostgresWaits;
}

/** A goodbye that the server does not answer. */
const farewellMs = 2_000;
const idleMs = 60_000;

/**
 * Options that sequelize's declarations leave out. To ask for the version would take a connection; what is older is refused
 * by `checkServer`. No column holds a time of day.
 */
const undeclared = { databaseVersion: '12.0.0', keepDefaultTimezone: true };

/** A connection that answers in this time to the end of its transaction can be used again. */
const rollbackMs = 1_000;

class CalmClient extends pg.Client {
  constructor(...settings: ConstructorParameters<typeof pg.Client>) {
    super(...settings);
    // A connection that is ended in the moment in which it is made tells so before sequelize listens, and an error that
    // nobody listens to would end the process. Its next statement fails in any case.
    this.on('error', () => {});
  }

  /** With the connection goes its transaction: sequelize would ask a server that hangs, and wait, and complain. */
  override query<Row>(...words: Parameters<Client['query']>): Promise<{ rows: Row[] }> {
    if (words[0] !== 'ROLLBACK;') return super.query(...words);
    const done = words.at(-1) as Done;
    const { stream } = this.connection;
    const timer = setTimeout(() => stream.destroy(), rollbackMs);
    return super.query(words[0], (error, result) => {
      clearTimeout(timer);
      if (error) {
        // Nobody gets it again.
        this.end(() => {});
        stream.destroy();
      }
      done(null, result ?? { rows: [] });
    });
  }

  override end(done?: Done) {
    setTimeout(() => this.connection.stream.destroy(), farewellMs).unref();
    return super.end(done);
  }
}

/** Some connections to one database, each made when it is first needed. */
export function makePool(server: PostgresServer, { size, isolation, waits }: PoolOptions): Sequelize {
  const pool = new Sequelize({
    dialect: 'postgres',
    dialectModule: { ...pg, Client: CalmClient },
    host: server.host,
    port: server.port,
    database: server.database,
    username: server.user,
    password: server.password,
    logging: false,
    retry: { max: 1 },
    ...undeclared,
    pool: { max: size, min: 0, acquire: waits.acquireMs, idle: idleMs },
    dialectOptions: {
      application_name: 'holdfast',
      keepAlive: true,
      connectionTimeoutMillis: waits.connectMs,
      query_timeout: waits.statementMs + 1_000,
      clientMinMessages: 'ignore',
      ssl: server.tls,
    },
  });
  pool.addHook('afterConnect', (connection) => prepare(connection as Client, isolation, waits));
  return pool;
}

async function prepare(client: Client, isolation: string, waits: PostgresWaits): Promise<void> {
  const settings = {
    // Where sequelize looks for the tables.
    search_path: 'public',
    client_min_messages: 'warning',
    default_transaction_isolation: `'${isolation}'`,
    statement_timeout: waits.statementMs,
    lock_timeout: waits.lockMs,
    idle_in_transaction_session_timeout: waits.idleTransactionMs,
  };
  const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  try {
    await client.query(statements.join('; '));
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}
