import {
  DatabaseError,
  QueryTypes,
  type Sequelize,
  UniqueConstraintError,
} from '@holdfast/storage-sequelize';
import type { Database, RunResult, Statement } from 'sqlite3';

/** More kinds of statements than the service has; reads with a page's place in them come and go. */
const mostKept = 128;

type Query = (sql: string, options?: { type?: string; bind?: unknown }) => Promise<unknown>;
type Values = Record<string, unknown>;

interface Kept {
  statement: Promise<Statement>;
  users: number;
  isOld: boolean;
}

/** How each type of query runs; the others are left to Sequelize. */
const ways: Partial<Record<string, (statement: Statement, values: Values) => Promise<unknown>>> = {
  [QueryTypes.SELECT]: rowsOf,
  [QueryTypes.INSERT]: async (...words) => {
    const { lastID, changes } = await changeBy(...words);
    return [lastID, changes];
  },
  [QueryTypes.BULKUPDATE]: async (...words) => (await changeBy(...words)).changes,
  [QueryTypes.BULKDELETE]: async (...words) => (await changeBy(...words)).changes,
};

/**
 * Lets statements with the same words share a prepared one: Sequelize prepares each anew, which takes five times as long
 * as the read of a row, and for a change all other processes wait meanwhile. Returns the given connection.
 */
export function prepareStatements(sequelize: Sequelize): Sequelize {
  const prepared = new PreparedStatements(sequelize);
  const query = sequelize.query.bind(sequelize) as Query;
  const close = sequelize.close.bind(sequelize);
  const quick: Query = (sql, options) => {
    const way = ways[options?.type ?? ''];
    return way && Array.isArray(options?.bind) ? prepared.run(sql, options.bind, way) : query(sql, options);
  };
  return Object.assign(sequelize, {
    query: quick,
    close: async () => {
      await prepared.end();
      await close();
    },
  });
}

class PreparedStatements {
  /** What was used last comes last. */
  readonly #kept = new Map<string, Kept>();
  readonly #ends = new Set<Promise<void>>();

  constructor(private readonly sequelize: Sequelize) {}

  async run<T>(
    sql: string,
    values: unknown[],
    way: (statement: Statement, values: Values) => Promise<T>,
  ): Promise<T> {
    const kept = this.#take(sql);
    try {
      const bound = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
      return await way(await kept.statement, bound);
    } catch (error) {
      this.#giveUp(sql, kept);
      throw inWordsOfSequelize(error as Error, sql);
    } finally {
      if (--kept.users === 0 && kept.isOld) this.#finalize(kept);
    }
  }

  /** No statement may run any more. */
  async end(): Promise<void> {
    for (const [sql, kept] of this.#kept) this.#giveUp(sql, kept);
    await Promise.all(this.#ends);
  }

  #take(sql: string): Kept {
    const kept = this.#kept.get(sql) ?? { statement: this.#prepare(sql), users: 0, isOld: false };
    kept.users++;
    this.#kept.delete(sql);
    this.#kept.set(sql, kept);
    for (const [old, oldest] of this.#kept) {
      if (this.#kept.size <= mostKept) break;
      this.#giveUp(old, oldest);
    }
    return kept;
  }

  async #prepare(sql: string): Promise<Statement> {
    const database = (await this.sequelize.connectionManager.getConnection({ type: 'read' })) as Database;
    return new Promise((resolve, reject) => {
      const statement = database.prepare(sql, (error) => (error ? reject(error) : resolve(statement)));
    });
  }

  /** Nobody takes it any more; it ends with its last user. */
  #giveUp(sql: string, kept: Kept): void {
    if (kept.isOld) return;
    kept.isOld = true;
    this.#kept.delete(sql);
    if (kept.users === 0) this.#finalize(kept);
  }

  #finalize({ statement }: Kept): void {
    const end = finalized(statement).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }
}

/** The read has ended when the rows are there: the next one sees what was committed since. */
function rowsOf(statement: Statement, values: Values): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    statement.all(values, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

function changeBy(statement: Statement, values: Values): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    statement.run(values, function done(error) {
      if (error) reject(error);
      else resolve(this);
    });
  });
}

/** Never by running it again: after some errors its transaction is gone, and it would be committed alone. */
function inWordsOfSequelize(cause: Error, sql: string): Error {
  const parent = Object.assign(cause, { sql });
  const { stack = '' } = new Error(cause.message);
  const columns = /UNIQUE constraint failed: (.*)/.exec(cause.message)?.[1];
  if (columns === undefined) return new DatabaseError(parent, { stack });
  const fields = columns.split(', ').map((column) => [column.split('.')[1], column]);
  return new UniqueConstraintError({ parent, stack, fields: Object.fromEntries(fields) });
}

async function finalized(statement: Promise<Statement>): Promise<void> {
  const prepared = await statement.catch(() => null);
  if (prepared) await new Promise<void>((resolve) => void prepared.finalize(() => resolve()));
}
