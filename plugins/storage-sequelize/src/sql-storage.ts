import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Entity,
  type PluginInstance,
  type StorageCopies,
  type StoragePort,
  type StorageTransfer,
  StoreError,
} from '@holdfast/plugin-api';
import type { Connections, Executor, SqlDialect } from './dialect.js';
import { examineDatabase } from './examine.js';
import { migrate, storedVersion } from './migrate.js';
import { tablesOf } from './schema-changes.js';
import { SqlSession } from './session.js';
import { sessionBy, withinTransaction } from './sessions.js';
import { storeErrorOf } from './store-errors.js';

export interface SqlStorageOptions {
  dialect: SqlDialect;
}

type Run = <T>(use: (connections: Connections) => Promise<T>, entity?: Entity) => Promise<T>;

const signEveryMs = 1_000;
/** Whoever looks into the process sees how long changes hold the database. */
const changes = tracingChannel('holdfast:change');

/** A storage in a SQL database; `start` opens and migrates it, `stop` ends what runs and closes it. */
export function sqlStorage({
  dialect,
}: SqlStorageOptions): StoragePort &
  Required<Omit<PluginInstance<StoragePort>, 'transfer' | 'changeToken' | 'copies'>> {
  let opened: Connections | null = null;
  const running = new Set<Promise<unknown>>();
  const sessionOn = (executor: Executor) => new SqlSession(executor, dialect);
  const fail = (error: unknown, entity?: Entity): never => {
    throw storeErrorOf(error, dialect, entity);
  };

  /** Runs `use` while the storage is open; `stop` waits for it. */
  const run: Run = async (use, entity) => {
    if (!opened) throw new StoreError('unavailable', `The database ${dialect.target} is not open.`);
    const result = use(opened);
    running.add(result);
    return result.catch((error) => fail(error, entity)).finally(() => running.delete(result));
  };

  const { checkHealth = ({ reader }) => reader.sequelize.query('SELECT 1'), changeToken } = dialect;
  return {
    ...sessionBy((operation, entity, method) =>
      run(({ reader, write }) => {
        if (method === 'find' || method === 'aggregate') return operation(sessionOn(reader));
        return write((executor) => operation(sessionOn(executor)));
      }, entity),
    ),
    ...(changeToken && { changeToken: () => run(({ reader }) => changeToken(reader)) }),
    transfer: transferBy(dialect, run),
    ...(dialect.copies && { copies: copiesOf(dialect.copies, fail) }),
    transaction: (work) =>
      run(({ transaction }) =>
        transaction((executor) =>
          withinTransaction(
            sessionOn(executor),
            (error, entity) => storeErrorOf(error, dialect, entity),
            work,
          ),
        ),
      ),
    schemaVersion: () => run(({ reader }) => storedVersion(reader, dialect)),
    examine: (schema) => examineDatabase(dialect, schema),

    async start({ schema, stillWorking }) {
      const connections = await dialect.open().catch(fail);
      // A change of the schema takes as long as it takes; opening must not.
      const beat = setInterval(stillWorking, signEveryMs);
      try {
        await migrate(connections, dialect, { schema, stillWorking });
        await dialect.checkTables?.(connections, tablesOf(schema));
      } catch (error) {
        await connections.close();
        fail(error);
      } finally {
        clearInterval(beat);
      }
      opened = traced(connections);
    },

    async stop() {
      const connections = opened;
      opened = null;
      await Promise.allSettled(running);
      await connections?.close();
    },

    health: () =>
      run<unknown>(checkHealth).then(
        () => null,
        (error: Error) => error.message,
      ),
  };
}

function traced(connections: Connections): Connections {
  const tracing =
    (run: Connections['transaction']): Connections['transaction'] =>
    (work) =>
      run((executor) => changes.tracePromise(work, {}, undefined, executor));
  return {
    ...connections,
    write: tracing(connections.write),
    transaction: tracing(connections.transaction),
  };
}

const copiesOf = (copies: StorageCopies, fail: (error: unknown) => never): StorageCopies => ({
  form: copies.form,
  size: () => copies.size().catch(fail),
  write: (file, options) => copies.write(file, options).catch(fail),
  putBack: (file) => copies.putBack(file).catch(fail),
});

/** Undefined for a dialect that can't tell the ids of its database. */
function transferBy(dialect: SqlDialect, run: Run): StorageTransfer | undefined {
  const { ids } = dialect;
  return (
    ids && {
      lastId: (entity) => run(({ reader }) => ids.last(reader, entity.name), entity),
      load: (entity, rows) =>
        run(
          ({ transaction }) =>
            transaction((executor) => new SqlSession(executor, dialect).load(entity, rows)),
          entity,
        ),
      reserveIds: (entity, id) =>
        run(({ transaction }) => transaction((executor) => ids.reserve(executor, entity.name, id)), entity),
    }
  );
}
