import sqlite3 from 'sqlite3';

/** The database file of running services, seen from outside. */
export class Database {
  readonly #connection: sqlite3.Database;

  private constructor(connection: sqlite3.Database) {
    this.#connection = connection;
  }

  static open(file: string): Promise<Database> {
    return new Promise((resolve, reject) => {
      const connection = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) => {
        if (error) return reject(error);
        connection.configure('busyTimeout', 10_000);
        resolve(new Database(connection));
      });
    });
  }

  all<T>(sql: string, ...values: unknown[]): Promise<T[]> {
    return new Promise((resolve, reject) => {
      this.#connection.all<T>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  }

  /** False when another process keeps the file from being written. */
  async takesWrites(): Promise<boolean> {
    this.#connection.configure('busyTimeout', 500);
    try {
      await this.all('BEGIN IMMEDIATE');
      await this.all('ROLLBACK');
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return false;
      throw error;
    } finally {
      this.#connection.configure('busyTimeout', 10_000);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.close((error) => (error ? reject(error) : resolve()));
    });
  }
}
