import {
  type Aggregate,
  type Entity,
  type Examination,
  type InsertOf,
  type PluginInstance,
  type Query,
  type RowOf,
  type SchemaVersion,
  type StoragePort,
  type StorageSession,
  type StorageStart,
  type StorageTransfer,
  StoreError,
  type Where,
} from '@holdfast/plugin-api';
import type { Connections, Executor, SqlDialect } from './dialect.js';
import { examineDatabase } from './examine.js';
import { migrate, storedVersion } from './migrate.js';
import { tablesOf } from './schema-changes.js';
import { SqlSession } from './session.js';
import { storeErrorOf } from './store-errors.js';
import { TransactionSession } from './transaction-session.js';
import { sqlTransfer } from './transfer.js';

export interface SqlStorageOptions {
  dialect: SqlDialect;
}

const signEveryMs = 1_000;

/** A storage in a SQL database; `start` opens and migrates it, `stop` ends what runs and closes it. */
export function sqlStorage(
  options: SqlStorageOptions,
): StoragePort & Required<Omit<PluginInstance<StoragePort>, 'transfer' | 'mark'>> {
  return new SqlStorage(options);
}

class SqlStorage implements StoragePort {
  private connections: Connections | null = null;
  private readonly running = new Set<Promise<unknown>>();

  readonly transfer?: StorageTransfer;
  readonly mark?: () => Promise<string>;

  constructor(private readonly options: SqlStorageOptions) {
    const transfer = sqlTransfer(options.dialect, (entity, use) => this.run(entity, use));
    if (transfer) this.transfer = transfer;
    const { mark } = options.dialect;
    if (mark) this.mark = () => this.run(undefined, ({ reader }) => mark(reader));
  }

  examine(schema: readonly SchemaVersion[]): Promise<Examination> {
    return examineDatabase(this.options.dialect, schema);
  }

  async start({ schema, stillWorking }: StorageStart): Promise<void> {
    const { dialect } = this.options;
    const connections = await dialect.open().catch((error) => this.fail(error));
    // A change of the schema takes as long as it takes; opening must not.
    const beat = setInterval(stillWorking, signEveryMs);
    try {
      await migrate({ connections, dialect, schema, stillWorking });
      await dialect.checkTables?.(connections, tablesOf(schema));
    } catch (error) {
      await connections.close();
      return this.fail(error);
    } finally {
      clearInterval(beat);
    }
    this.connections = connections;
  }

  schemaVersion(): Promise<number> {
    return this.run(undefined, ({ reader }) => storedVersion(reader, this.options.dialect));
  }

  async stop(): Promise<void> {
    const { connections } = this;
    this.connections = null;
    await Promise.allSettled(this.running);
    await connections?.close();
  }

  async health(): Promise<string | null> {
    try {
      const { checkHealth = ({ reader }) => reader.sequelize.query('SELECT 1') } = this.options.dialect;
      await this.run<unknown>(undefined, checkHealth);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  find<E extends Entity>(entity: E, query?: Query<E>): Promise<RowOf<E>[]> {
    return this.run(entity, ({ reader }) => this.session(reader).find(entity, query));
  }

  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>> {
    return this.run(entity, ({ write }) => write((executor) => this.session(executor).insert(entity, row)));
  }

  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number> {
    return this.run(entity, ({ write }) =>
      write((executor) => this.session(executor).update(entity, where, patch)),
    );
  }

  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number> {
    return this.run(entity, ({ write }) => write((executor) => this.session(executor).remove(entity, where)));
  }

  aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]> {
    return this.run(entity, ({ reader }) => this.session(reader).aggregate(entity, query));
  }

  transaction<T>(work: (session: StorageSession) => Promise<T>): Promise<T> {
    const { dialect } = this.options;
    return this.run(undefined, ({ transaction }) =>
      transaction((executor) => new TransactionSession(this.session(executor), dialect).run(work)),
    );
  }

  private session(executor: Executor): SqlSession {
    return new SqlSession(executor, this.options.dialect);
  }

  /** Runs `use` while the storage is open; `stop` waits for it. */
  private async run<T>(
    entity: Entity | undefined,
    use: (connections: Connections) => Promise<T>,
  ): Promise<T> {
    const { connections } = this;
    if (!connections) {
      throw new StoreError('unavailable', `The database ${this.options.dialect.target} is not open.`);
    }
    const running = use(connections);
    this.running.add(running);
    try {
      return await running;
    } catch (error) {
      throw storeErrorOf(error, this.options.dialect, entity);
    } finally {
      this.running.delete(running);
    }
  }

  private fail(error: unknown): never {
    throw storeErrorOf(error, this.options.dialect);
  }
}
