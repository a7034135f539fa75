import { QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import type { Database, Statement } from 'sqlite3';

/** More kinds of reads than the service has; those with a page's place in them come and go. */
const mostKept = 128;

type Query = (sql: string, options?: { type?: string; bind?: unknown }) => Promise<unknown>;

interface Kept {
  statement: Promise<Statement>;
  users: number;
  isOld: boolean;
}

/**
 * Lets reads with the same words share one statement: Sequelize prepares each anew, which takes five times as long as
 * the read of a row. Returns the given connection.
 */
export function prepareReads(sequelize: Sequelize): Sequelize {
  const reads = new PreparedReads(sequelize);
  const query = sequelize.query.bind(sequelize) as Query;
  const close = sequelize.close.bind(sequelize);
  const quick: Query = async (sql, options) => {
    if (options?.type !== QueryTypes.SELECT || !Array.isArray(options.bind)) return query(sql, options);
    // Sequelize has the words for what fails.
    return reads.all(sql, options.bind).catch(() => query(sql, options));
  };
  return Object.assign(sequelize, {
    query: quick,
    close: async () => {
      await reads.end();
      await close();
    },
  });
}

class PreparedReads {
  /** What was used last comes last. */
  readonly #kept = new Map<string, Kept>();
  readonly #ends = new Set<Promise<void>>();

  constructor(private readonly sequelize: Sequelize) {}

  async all(sql: string, values: unknown[]): Promise<unknown[]> {
    const kept = this.#take(sql);
    try {
      return await rowsOf(await kept.statement, values);
    } catch (error) {
      this.#giveUp(sql, kept);
      throw error;
    } finally {
      if (--kept.users === 0 && kept.isOld) this.#finalize(kept);
    }
  }

  /** No read may run any more. */
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
function rowsOf(statement: Statement, values: unknown[]): Promise<unknown[]> {
  const bound = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
  return new Promise((resolve, reject) => {
    statement.all(bound, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

async function finalized(statement: Promise<Statement>): Promise<void> {
  const prepared = await statement.catch(() => null);
  if (prepared) await new Promise<void>((resolve) => void prepared.finalize(() => resolve()));
}
