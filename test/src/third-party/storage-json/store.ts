import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StorageStart } from '@holdfast/plugin-api';
import { copyOf, migrated, refuseNewer } from './schema.js';

export type Row = Record<string, unknown>;
/** Rows with their values as JSON text, so that nobody holds a part of them. */
export interface Table {
  next: number;
  rows: Map<number, string>;
}
export type Tables = Map<string, Table>;

interface Stored {
  version: number;
  tables: Record<string, { next: number; rows: [number, string][] }>;
}

/** One file, with its tables in memory and its writers in a queue. */
export class Store {
  tables: Tables = new Map();
  users = 0;
  version = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly file: string) {}

  /** Runs `work` alone on a copy of the tables, which become the store's when it resolves and they are written. */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const copy = copyOf(this.tables);
      const result = await work(copy);
      await this.#save(copy);
      this.tables = copy;
      return result;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  idle(): Promise<unknown> {
    return this.#last;
  }

  async load({ schema, stillWorking }: StorageStart): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"version":0,"tables":{}}';
      throw error;
    });
    const { version, tables }: Stored = JSON.parse(text);
    refuseNewer(this.file, version, schema);
    this.version = version;
    for (const [name, { next, rows }] of Object.entries(tables))
      this.tables.set(name, { next, rows: new Map(rows) });
    for (const missing of schema.filter((one) => one.version > this.version)) {
      stillWorking();
      const after = migrated(this.tables, missing);
      this.version = missing.version;
      await this.#save(after);
      this.tables = after;
    }
  }

  async #save(tables: Tables): Promise<void> {
    const entries = [...tables].map(([name, { next, rows }]) => [name, { next, rows: [...rows] }]);
    const text = JSON.stringify({ version: this.version, tables: Object.fromEntries(entries) });
    await mkdir(dirname(this.file), { recursive: true });
    await writeFile(`${this.file}.new`, text, { mode: 0o600 });
    await rename(`${this.file}.new`, this.file);
  }
}
