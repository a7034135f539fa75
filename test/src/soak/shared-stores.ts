import { setTimeout as pause } from 'node:timers/promises';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { type PostgresServer, startPostgres } from '../services/postgres.js';
import { type RedisServer, startRedis } from '../services/redis.js';
import { PostgresDatabase } from '../store/postgres-database.js';

const database = 'backups';
const patienceMs = 60_000;

/** PostgreSQL, MongoDB and Redis of the soak's own, which it may end. */
export class SharedStores {
  private constructor(
    readonly postgres: PostgresServer,
    readonly mongo: MongoServer,
    readonly redis: RedisServer,
  ) {}

  static async start(): Promise<SharedStores> {
    const postgres = await startPostgres();
    postgres.sql(`CREATE DATABASE ${database}`);
    const mongo = await MongoServer.start(process.env.TEST_MONGOD, { replicaSet: true });
    return new SharedStores(postgres, mongo, await startRedis());
  }

  get environment(): Record<string, string> {
    const mongo = new URL(this.mongo.uri);
    mongo.pathname = '/backups';
    return {
      DATABASE_URL: this.postgres.url(database),
      MONGODB_URI: mongo.href,
      KVCACHE_URL: this.redis.url,
    };
  }

  /** Runs a statement that may run twice, on a connection of its own, and waits for a server that is away. */
  async all<T>(sql: string, ...values: unknown[]): Promise<T[]> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      try {
        const connection = await PostgresDatabase.open(this.postgres.url(database));
        try {
          return await connection.all<T>(sql, ...values);
        } finally {
          await connection.close();
        }
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await pause(200);
      }
    }
  }

  async remove(): Promise<void> {
    await Promise.all([this.postgres.remove(), this.mongo.remove(), this.redis.remove()]);
  }
}
