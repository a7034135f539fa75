import { DatabaseError, type Executor, QueryTypes, UniqueConstraintError } from '@holdfast/storage-sequelize';
import sqlite3, { type RunResult, type Statement } from 'sqlite3';

/** More kinds of statements than the service has; reads with a page's place in them come and go. */
const mostKept = 128;

type Done = (this: RunResult, error: Error | null, rows?: unknown[]) => void;
type Run = NonNullable<Executor['run']>;

/** What Sequelize resolves to for each type of query. */
const answers: Partial<Record<string, (result: RunResult, rows: unknown[]) => unknown>> = {
  [QueryTypes.SELECT]: (_, rows) => rows,
  [QueryTypes.INSERT]: ({ lastID, changes }) => [lastID, changes],
  [QueryTypes.BULKUPDATE]: ({ changes }) => changes,
  [QueryTypes.BULKDELETE]: ({ changes }) => changes,
};

/**
 * One connection to a file: Sequelize's driver opens it, and sessions run their statements on it. Statements of the same
 * words share a prepared one. docs/contributing/decisions/0008-own-statements.md has the figures.
 */
export class KeptConnection {
  /** For a database in memory Sequelize has one connection; to a file it would open one for each transaction. */
  readonly filename = ':memory:';
  readonly #database;
  /** What was used last comes last. */
  readonly #kept = new Map<string, Statement>();

  readonly #busyTimeoutMs;

  constructor(file: string, busyTimeoutMs: number, mode: number, opened: (error: Error | null) => void) {
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#database = new sqlite3.Database(file, mode, opened);
  }

  serialize(work: () => void): void {
    this.#database.serialize(work);
  }

  run(sql: string, ...words: unknown[]): void {
    this.#forSequelize('run', sql, words);
  }

  all(sql: string, ...words: unknown[]): void {
    this.#forSequelize('all', sql, words);
  }

  close(done: (error: Error | null) => void): void {
    for (const [sql, statement] of this.#kept) this.#giveUp(sql, statement);
    this.#database.close(done);
  }

  /** As Sequelize's `query` with these options would, of which it knows four types. */
  readonly ask: Run = (type, sql, bind) => {
    const values = Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
    return new Promise((resolve, reject) => {
      const way = type === QueryTypes.SELECT ? 'all' : 'run';
      this.#execute(way, sql, values, 0, function done(error, rows = []) {
        if (error) reject(inWordsOfSequelize(error, sql));
        else resolve(answers[type]?.(this, rows));
      });
    });
  };

  #forSequelize(way: 'all' | 'run', sql: string, words: unknown[]): void {
    const done = typeof words.at(-1) === 'function' ? (words.pop() as Done) : () => {};
    // Sequelize would roll back what could not begin, each time.
    const patienceMs = sql.startsWith('BEGIN') ? this.#busyTimeoutMs : 0;
    this.#execute(way, sql, words[0] ?? [], patienceMs, done);
  }

  /** What failed is never run again, but for a lock: its transaction may be gone, and it would be committed alone. */
  #execute(way: 'all' | 'run', sql: string, values: unknown, patienceMs: number, done: Done): void {
    const deadline = performance.now() + patienceMs;
    const attempt = () => {
      function ended(this: RunResult, error: Error | null, rows?: unknown[]) {
        if (codeOf(error) === 'SQLITE_BUSY' && performance.now() < deadline) attempt();
        // Sequelize also rolls back what could not begin; and after some errors, a full disk for one, SQLite has done so.
        else if (sql === 'ROLLBACK;' && error?.message.includes('no transaction is'))
          done.call(this, null, []);
        else done.call(this, error, rows);
      }
      // To understand it, SQLite reads the tables, which may be locked too.
      const statement = this.#statement(sql, ended);
      const check = (error: Error | null) => {
        // SQLite would keep the place of one that met a lock, and what it had read: no transaction could begin any more.
        if (error && this.#kept.get(sql) === statement) this.#giveUp(sql, statement);
      };
      statement[way](values, function answered(this: RunResult, error: Error | null, rows?: unknown[]) {
        check(error);
        ended.call(this, error, rows);
      });
    };
    attempt();
  }

  /** Kept when SQLite has understood it: of one that it refuses only the first user hears. */
  #statement(sql: string, refuse: Done): Statement {
    const known = this.#kept.get(sql);
    if (known) {
      this.#kept.delete(sql);
      this.#kept.set(sql, known);
      return known;
    }
    const statement = this.#database.prepare(sql, (error: Error | null) => {
      if (error) return refuse.call(statement as RunResult, error);
      if (this.#kept.has(sql)) return void statement.finalize();
      this.#kept.set(sql, statement);
      const [oldest] = this.#kept;
      if (oldest && this.#kept.size > mostKept) this.#giveUp(...oldest);
    });
    return statement;
  }

  /** It ends after what it still has to do. */
  #giveUp(sql: string, statement: Statement): void {
    this.#kept.delete(sql);
    statement.finalize();
  }
}

const codeOf = (error: Error | null) => (error as NodeJS.ErrnoException | null)?.code;

function inWordsOfSequelize(cause: Error, sql: string): Error {
  const parent = Object.assign(cause, { sql });
  const columns = /UNIQUE constraint failed: (.*)/.exec(cause.message)?.[1]?.split(', ');
  if (!columns) return new DatabaseError(parent);
  return new UniqueConstraintError({
    parent,
    fields: Object.fromEntries(columns.map((column) => [column.split('.')[1], column])),
  });
}
