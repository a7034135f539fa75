import { baseNameOf, parentOf, searchText, storedName } from './names.js';
import { list, type Sqlite } from './sqlite.js';

const mostKept = 50_000;

/** Adds paths, and their names for searches. */
export class PathWriter {
  #folders = new Map<string, number>([['', 0]]);

  constructor(private readonly db: Sqlite) {}

  /** Of a folder that was found for this batch. */
  idOf(path: string): number {
    return this.#folders.get(path) ?? 0;
  }

  /** Finds or adds these folders with all above them, and notes that they have content. Their entries may come later, or never. */
  async findFolders(paths: Iterable<string | number>): Promise<void> {
    if (this.#folders.size > mostKept) this.#folders = new Map([['', 0]]);
    const levels: Set<string>[] = [];
    for (const path of new Set(paths as Iterable<string>)) {
      for (let at = path; !this.#folders.has(at); at = parentOf(at)) {
        const depth = at.split('/').length;
        levels[depth] ??= new Set();
        if (levels[depth].has(at)) break;
        levels[depth].add(at);
      }
    }
    for (const level of levels) if (level) await this.#findLevel([...level]);
  }

  async #findLevel(paths: string[]): Promise<void> {
    const rows = list(paths.map((path) => [this.idOf(parentOf(path)), storedName(baseNameOf(path))]));
    await this.#adding(
      'INSERT OR IGNORE INTO path (parent, name) SELECT value->>0, value->>1 FROM json_each(?)',
      [rows],
    );
    const found = await this.db.all<{ key: number; id: number }>(
      'SELECT key, path.id FROM json_each(?) CROSS JOIN path ON path.parent = value->>0 AND path.name = value->>1',
      [rows],
    );
    for (const { key, id } of found) this.#folders.set(paths[key] ?? '', id);
    await this.db.run('INSERT OR IGNORE INTO used SELECT value FROM json_each(?)', [
      list(found.map(({ id }) => id)),
    ]);
  }

  /** True when some of them were new. */
  addListed(): Promise<boolean> {
    return this.#adding('INSERT OR IGNORE INTO path (parent, name) SELECT parent, name FROM listed');
  }

  async #adding(sql: string, values: string[] = []): Promise<boolean> {
    const { db } = this;
    const { id } = (await db.get<{ id: number | null }>('SELECT max(id) AS id FROM path')) ?? {};
    if ((await db.run(sql, values)) === 0) return false;
    const isAscii = 'octet_length(name) = length(name)';
    await db.run(
      `INSERT INTO names (rowid, text) SELECT id, lower(name) FROM path WHERE id > ? AND ${isAscii}`,
      [id ?? 0],
    );
    const others = await db.all<{ id: number; name: string }>(
      `SELECT id, name FROM path WHERE id > ? AND NOT ${isAscii}`,
      [id ?? 0],
    );
    if (others.length > 0)
      await db.run('INSERT INTO names (rowid, text) SELECT value->>0, value->>1 FROM json_each(?)', [
        list(others.map((path) => [path.id, searchText(path.name)])),
      ]);
    return true;
  }
}
