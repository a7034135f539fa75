import { existsSync, readFileSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import type { Database } from './database.js';

export class SqliteDatabase implements Database {
  readonly #file: string;
  readonly #connection: sqlite3.Database;

  private constructor(file: string, connection: sqlite3.Database) {
    this.#file = file;
    this.#connection = connection;
  }

  static open(file: string): Promise<SqliteDatabase> {
    return new Promise((resolve, reject) => {
      const connection = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) => {
        if (error) return reject(error);
        connection.configure('busyTimeout', 10_000);
        resolve(new SqliteDatabase(file, connection));
      });
    });
  }

  all<T>(sql: string, ...values: unknown[]): Promise<T[]> {
    return new Promise((resolve, reject) => {
      this.#connection.all<T>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  }

  async takesWrites(): Promise<boolean> {
    this.#connection.configure('busyTimeout', 500);
    try {
      await this.holdWrites();
      await this.letWrite();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return false;
      throw error;
    } finally {
      this.#connection.configure('busyTimeout', 10_000);
    }
  }

  async holdWrites(): Promise<void> {
    await this.all('BEGIN IMMEDIATE');
  }

  async letWrite(): Promise<void> {
    await this.all('ROLLBACK');
  }

  /** Also what was removed and still stands in the files. */
  async contents(): Promise<string> {
    const files = ['', '-wal'].map((end) => `${this.#file}${end}`).filter((file) => existsSync(file));
    return files.map((file) => readFileSync(file, 'latin1')).join('\n');
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.close((error) => (error ? reject(error) : resolve()));
    });
  }
}
