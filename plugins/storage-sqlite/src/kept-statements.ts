import sqlite3, { type Statement } from 'sqlite3';

/** More kinds of statements than the service has; reads with a page's place in them come and go. */
const mostKept = 128;

type Done = (this: Statement, error: Error | null, rows?: unknown[]) => void;

/**
 * A database whose statements of the same words share a prepared one. The library prepares each anew: TODO figure, and for
 * a change all other processes wait meanwhile.
 */
class KeepingDatabase extends sqlite3.Database {
  /** What was used last comes last. */
  readonly #kept = new Map<string, Statement>();

  override all(sql: string, ...words: unknown[]): this {
    return this.#share('all', sql, words);
  }

  override run(sql: string, ...words: unknown[]): this {
    return this.#share('run', sql, words);
  }

  override close(done?: (error: Error | null) => void): void {
    for (const [sql, statement] of this.#kept) this.#giveUp(sql, statement);
    super.close(done);
  }

  #share(way: 'all' | 'run', sql: string, words: unknown[]): this {
    const statement = this.#kept.get(sql) ?? this.#prepare(sql, words.at(-1));
    if (this.#kept.delete(sql)) this.#kept.set(sql, statement);
    statement[way](...words);
    return this;
  }

  /** Kept from the moment in which SQLite has understood it: of one that it refuses, only the first user would hear. */
  #prepare(sql: string, done: unknown): Statement {
    const statement = this.prepare(sql, (error) => {
      if (error) return void (done as Done | undefined)?.call(statement, error);
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

/** The library for sequelize, with that database. */
export const keepingSqlite3 = { ...sqlite3, Database: KeepingDatabase };
