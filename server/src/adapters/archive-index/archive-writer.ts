import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { canonicalPath } from '@holdfast/plugin-api/driver';
import { directoryCode, extrasOf, typeCode } from './entry-rows.js';
import { baseNameOf, parentOf, storedName } from './names.js';
import { PathWriter } from './path-writer.js';
import type { Position } from './position.js';
import type { Sqlite } from './sqlite.js';
import { emptyBatch, makeTables, type Statements, statementsFor } from './writer-statements.js';

const rowsAtOnce = 1_000;

/** `folder` is its path, and its id when it is written. */
type Listed = [
  folder: string | number,
  name: string,
  type: number,
  size: number,
  mtime: number,
  extras: string | null,
];
type Linked = [...Listed, targetFolder: string | number, targetName: string];

/**
 * Compares one listing with the archive next to it, batch by batch, and writes what differs. Whatever grows with the
 * archive is in temporary tables.
 */
export class ArchiveWriter {
  #rows: Listed[] = [];
  /** Further names of hard-linked files: they come last, when the sizes of the first names are known. */
  #links: Linked[] = [];
  #written: Promise<void> = Promise.resolve();
  readonly #paths: PathWriter;
  readonly #sql: Statements;

  private constructor(
    private readonly db: Sqlite,
    private readonly position: Position,
  ) {
    this.#paths = new PathWriter(db);
    this.#sql = statementsFor(position);
  }

  static async begin(db: Sqlite, position: Position): Promise<ArchiveWriter> {
    await makeTables(db);
    return new ArchiveWriter(db, position);
  }

  get isFull(): boolean {
    return this.#rows.length + this.#links.length >= rowsAtOnce;
  }

  add(entry: ArchiveEntry): void {
    const path = canonicalPath(entry.path);
    if (path === '') return;
    const type = typeCode(entry.type);
    const size = type === directoryCode ? 0 : entry.size;
    const name = storedName(baseNameOf(path));
    const row: Listed = [parentOf(path), name, type, size, Math.floor(entry.mtime), extrasOf(entry, path)];
    if (entry.hardLinkTarget === null) this.#rows.push(row);
    else {
      const target = canonicalPath(entry.hardLinkTarget);
      this.#links.push([...row, parentOf(target), storedName(baseNameOf(target))]);
    }
  }

  /** Resolves when those before are written: meanwhile more are read. */
  async flush(): Promise<void> {
    await this.#written;
    const [rows, links] = [this.#rows.splice(0), this.#links.splice(0)];
    this.#written = this.#write(rows, links);
    this.#written.catch(() => {});
  }

  /** Resolves when nothing runs, whether it failed or not. */
  settled(): Promise<void> {
    return this.#written.catch(() => {});
  }

  async end(): Promise<{ entries: number; files: number }> {
    await this.flush();
    await this.#written;
    await this.#writeLinks();
    await this.#writeLate();
    await this.#closeOthers();
    const sql = 'SELECT count(*) AS entries, count(*) FILTER (WHERE type = 1) AS files FROM seen';
    return (await this.db.get<{ entries: number; files: number }>(sql)) ?? { entries: 0, files: 0 };
  }

  async #write(rows: Listed[], links: Linked[]): Promise<void> {
    await this.#paths.findFolders([
      ...rows.map(([folder]) => folder),
      ...links.flatMap((row) => [row[0], row[6]]),
    ]);
    const idOf = (folder: string | number) => this.#paths.idOf(folder as string);
    for (const row of rows) row[0] = idOf(row[0]);
    for (const row of links) [row[0], row[6]] = [idOf(row[0]), idOf(row[6])];
    if (links.length > 0) await this.db.run(this.#sql.link, [JSON.stringify(links)]);
    if (rows.length === 0) return;
    await this.db.run(this.#sql.list, [JSON.stringify(rows)]);
    await this.#writeListed(rows.length);
  }

  /** What is in `listed`. */
  async #writeListed(count: number): Promise<void> {
    const { db } = this;
    const { series } = this.position;
    let found = await db.run(this.#sql.compare, [series]);
    // Most are known.
    if (found < count && (await this.#paths.addListed())) {
      await db.exec('DELETE FROM found');
      found = await db.run(this.#sql.compare, [series]);
    }
    const isTwice = (await db.run(this.#sql.see)) < found || found < count;
    if (isTwice) await db.run(this.#sql.dropSeen);
    await this.#writeFound();
    if (isTwice) await db.run(this.#sql.findLate, [series]);
    await db.exec(emptyBatch);
  }

  /** What differs from the neighbour. */
  async #writeFound(): Promise<void> {
    const { db } = this;
    const { series, place, neighbour } = this.position;
    if (neighbour) {
      if (neighbour.isOlder) await db.run(this.#sql.noteChanges);
      await db.run(this.#sql.closeFound, [neighbour.place, series]);
    }
    const first = neighbour?.isOlder ? place : 0;
    const last = neighbour && !neighbour.isOlder ? place : 1;
    await db.run(this.#sql.write, [series, first, last]);
  }

  async #writeLinks(): Promise<void> {
    const { max } = (await this.db.get<{ max: number | null }>('SELECT max(rowid) AS max FROM linked')) ?? {};
    for (let after = 0; after < (max ?? 0); after += rowsAtOnce) {
      const values = [after, after + rowsAtOnce, this.position.series];
      await this.#writeListed(await this.db.run(this.#sql.listLinks, values));
    }
  }

  /** Folders that are folders only because of their content; a folder has priority over a file of its name. */
  async #writeLate(): Promise<void> {
    const { db } = this;
    const { series, place, neighbour } = this.position;
    await db.run(this.#sql.implied);
    await db.run(this.#sql.takeBackSame, [neighbour?.place ?? 0, series]);
    await db.run(this.#sql.takeBackOwn, [place, series]);
    for (const table of ['moved', 'seen'])
      await db.run(`DELETE FROM ${table} WHERE path IN (SELECT path FROM late)`);
    if (neighbour?.isOlder) await db.run(this.#sql.noteReplaced, [neighbour.place, series]);
    await this.#writeListed(await db.run(this.#sql.listLate));
  }

  /** Those that only the neighbour has. */
  async #closeOthers(): Promise<void> {
    const { series, neighbour } = this.position;
    if (!neighbour) return;
    await this.db.run(this.#sql.findGone, [neighbour.place, series]);
    if (neighbour.isOlder) await this.db.run(this.#sql.noteGone);
    await this.db.run(this.#sql.closeGone, [neighbour.place, series]);
  }
}
