import { joined, realName, storedName } from './names.js';
import { DamagedIndex, list, type Sqlite } from './sqlite.js';

interface Folder {
  parent: number;
  path: string;
}

const mostKept = 50_000;

/** Paths of folders, as a transaction sees them. */
export class Folders {
  readonly #known = new Map<number, Folder>();

  constructor(private readonly db: Sqlite) {}

  /** So that `pathOf` knows these, with all above them. */
  async load(ids: Iterable<number>): Promise<void> {
    if (this.#known.size > mostKept) this.#known.clear();
    const rows = new Map<number, { id: number; parent: number; name: string }>();
    let wanted = new Set(ids);
    while (wanted.size > 0) {
      const missing = [...wanted].filter((id) => id !== 0 && !this.#known.has(id) && !rows.has(id));
      if (missing.length === 0) break;
      const found = await this.db.all<{ id: number; parent: number; name: string }>(
        'SELECT id, parent, name FROM path WHERE id IN (SELECT value FROM json_each(?))',
        [list(missing)],
      );
      if (found.length < missing.length) throw new DamagedIndex('a folder is missing');
      for (const row of found) rows.set(row.id, row);
      if (found.some(({ id, parent }) => parent >= id))
        throw new DamagedIndex('a folder is inside of itself');
      wanted = new Set(found.map(({ parent }) => parent));
    }
    // A folder has a smaller id than those in it.
    for (const { id, parent, name } of [...rows.values()].sort((a, b) => a.id - b.id))
      this.#known.set(id, { parent, path: joined(this.pathOf(parent), realName(name)) });
  }

  /** Of a loaded folder; the root is 0. */
  pathOf(id: number): string {
    return id === 0 ? '' : (this.#known.get(id)?.path ?? '');
  }

  parentOf(id: number): number {
    return this.#known.get(id)?.parent ?? 0;
  }

  /** From the first below the root down to the folder itself. */
  chain(id: number): number[] {
    const ids: number[] = [];
    for (let at = id; at !== 0; at = this.parentOf(at)) ids.unshift(at);
    return ids;
  }
}

/** Null when no archive has it. */
export async function idOfPath(db: Sqlite, path: string): Promise<number | null> {
  let id = 0;
  if (path === '') return id;
  for (const name of path.split('/')) {
    const found = await db.get<{ id: number }>('SELECT id FROM path WHERE parent = ? AND name = ?', [
      id,
      storedName(name),
    ]);
    if (!found) return null;
    id = found.id;
  }
  return id;
}
