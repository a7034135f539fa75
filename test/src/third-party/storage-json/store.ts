import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SchemaChange, StoreError, schemaVersions } from '@holdfast/core/plugin';

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
  #version = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly file: string) {}

  /** Runs `work` alone on a copy of the tables, which become the store's when it resolves and they are written. */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const copy: Tables = new Map();
      for (const [name, { next, rows }] of this.tables) copy.set(name, { next, rows: new Map(rows) });
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

  async load(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"version":0,"tables":{}}';
      throw error;
    });
    const { version, tables }: Stored = JSON.parse(text);
    const newest = Math.max(...schemaVersions.map((one) => one.version));
    if (version > newest) {
      throw new StoreError('invalid', `${this.file} is of version ${version}; this program knows ${newest}.`);
    }
    this.#version = version;
    for (const [name, { next, rows }] of Object.entries(tables))
      this.tables.set(name, { next, rows: new Map(rows) });
    await this.#migrate(newest);
  }

  async #migrate(newest: number): Promise<void> {
    const missing = schemaVersions.filter(({ version }) => version > this.#version);
    if (missing.length === 0) return;
    for (const { changes } of missing) for (const change of changes) applyChange(this.tables, change);
    this.#version = newest;
    await this.#save(this.tables);
  }

  async #save(tables: Tables): Promise<void> {
    const entries = [...tables].map(([name, { next, rows }]) => [name, { next, rows: [...rows] }]);
    const text = JSON.stringify({ version: this.#version, tables: Object.fromEntries(entries) });
    await mkdir(dirname(this.file), { recursive: true });
    await writeFile(`${this.file}.new`, text, { mode: 0o600 });
    await rename(`${this.file}.new`, this.file);
  }
}

function applyChange(tables: Tables, change: SchemaChange): void {
  if (change.kind === 'create-entity') {
    if (!tables.has(change.entity.name)) tables.set(change.entity.name, { next: 1, rows: new Map() });
  } else if (change.kind === 'drop-entity') {
    tables.delete(change.entity);
  } else if (change.kind !== 'add-index') {
    const rows = tables.get(change.entity)?.rows ?? new Map<number, string>();
    for (const [id, text] of rows) {
      const { [change.column]: old, ...rest } = JSON.parse(text);
      const added =
        change.kind === 'add-column' ? { [change.column]: change.definition.default ?? null } : {};
      rows.set(id, JSON.stringify({ ...rest, ...added }));
    }
  }
}
