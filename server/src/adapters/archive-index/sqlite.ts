import type sqlite3 from 'sqlite3';

export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

/** Promises around one connection. */
export class Sqlite {
  private constructor(private readonly database: sqlite3.Database) {}

  /** The library is loaded with the first one. */
  static async open(path: string): Promise<Sqlite> {
    const { default: library } = await import('sqlite3');
    return new Promise((resolve, reject) => {
      const mode = library.OPEN_READWRITE | library.OPEN_CREATE;
      const database = new library.Database(path, mode, (error) =>
        error ? reject(error) : resolve(new Sqlite(database)),
      );
    });
  }

  /** The number of changed rows. */
  run(sql: string, values: readonly Value[] = []): Promise<number> {
    return new Promise((resolve, reject) => {
      this.database.run(sql, values, function (error) {
        error ? reject(error) : resolve(this.changes);
      });
    });
  }

  all<R = Row>(sql: string, values: readonly Value[] = []): Promise<R[]> {
    return new Promise((resolve, reject) => {
      this.database.all<R>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  }

  async get<R = Row>(sql: string, values: readonly Value[] = []): Promise<R | undefined> {
    return (await this.all<R>(sql, values))[0];
  }

  /** Several statements. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends what runs now, with an error. */
  interrupt(): void {
    this.database.interrupt();
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.close((error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The content of the file can't be right. */
export class DamagedIndex extends Error {}

export const isBusy = (error: unknown): boolean => codeOf(error) === 'SQLITE_BUSY';

export const isDamage = (error: unknown): error is Error =>
  error instanceof DamagedIndex || ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].includes(codeOf(error));

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Many values as one parameter, for `json_each`. */
export const list = (values: Iterable<unknown>): string => JSON.stringify([...values]);
