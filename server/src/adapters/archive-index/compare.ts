import type { FolderGrowth, IndexedChanges } from '@holdfast/core/server';
import { findArchive } from './archive-book.js';
import { fileCode, indexedEntry, isChanged, type VersionRow, versionColumns } from './entry-rows.js';
import { Folders, idOfPath } from './folders.js';
import { joined, realName } from './names.js';
import { isIn } from './schema.js';
import { list, type Sqlite } from './sqlite.js';

type Pair = { before: string; after: string };
type Change = { id: number; before: VersionRow | null; after: VersionRow | null };

/** Paths that are compared at once. */
const window = 20_000;

const inBefore = `(version.series = ?1 AND ${isIn('?2')})`;
const inAfter = `(version.series = ?3 AND ${isIn('?4')})`;

async function placesOf(db: Sqlite, pair: Pair): Promise<number[]> {
  const [before, after] = [await findArchive(db, pair.before), await findArchive(db, pair.after)];
  return [before.series, before.place, after.series, after.place];
}

export async function compareArchives(
  db: Sqlite,
  pair: Pair,
  { offset, limit }: { offset: number; limit: number },
): Promise<IndexedChanges> {
  const counts = { added: 0, removed: 0, changed: 0 };
  const shown: Change[] = [];
  let seen = 0;
  for await (const change of changesOf(db, await placesOf(db, pair))) {
    counts[change.before ? (change.after ? 'changed' : 'removed') : 'added']++;
    if (seen >= offset && shown.length < limit) shown.push(change);
    seen++;
  }
  const paths = await pathsOf(
    db,
    shown.map(({ id }) => id),
  );
  const entryOf = (id: number, row: VersionRow | null) => row && indexedEntry(paths.get(id) ?? '', row);
  const items = shown.map(({ id, before, after }) => ({
    path: paths.get(id) ?? '',
    before: entryOf(id, before),
    after: entryOf(id, after),
  }));
  return { ...counts, items };
}

async function* changesOf(db: Sqlite, places: number[]): AsyncGenerator<Change> {
  const { max } = (await db.get<{ max: number | null }>('SELECT max(id) AS max FROM path')) ?? {};
  for (let after = 0; after < (max ?? 0); after += window) {
    const rows = await db.all<VersionRow & { path: number; isBefore: number }>(
      `SELECT path, ${inBefore} AS isBefore, ${versionColumns('version')} FROM version
        WHERE path > ?5 AND path <= ?6 AND ${inBefore} <> ${inAfter} ORDER BY path`,
      [...places, after, after + window],
    );
    const changes = new Map<number, Change>();
    for (const row of rows) {
      const change = changes.get(row.path) ?? { id: row.path, before: null, after: null };
      changes.set(row.path, change);
      change[row.isBefore ? 'before' : 'after'] = row;
    }
    for (const change of changes.values()) {
      const { before, after: now } = change;
      if (!before || !now || isChanged(indexedEntry('', before), indexedEntry('', now))) yield change;
    }
  }
}

async function pathsOf(db: Sqlite, ids: number[]): Promise<Map<number, string>> {
  const rows = await db.all<{ id: number; parent: number; name: string }>(
    'SELECT id, parent, name FROM path WHERE id IN (SELECT value FROM json_each(?))',
    [list(ids)],
  );
  const folders = new Folders(db);
  await folders.load(rows.map(({ parent }) => parent));
  return new Map(rows.map(({ id, parent, name }) => [id, joined(folders.pathOf(parent), realName(name))]));
}

/** By the regular files that differ. */
export async function growthOf(db: Sqlite, pair: Pair & { parent: string }): Promise<FolderGrowth[]> {
  const places = await placesOf(db, pair);
  const top = await idOfPath(db, pair.parent);
  if (top === null) return [];
  const rows = await db.all<{ parent: number; bytes: number; files: number }>(
    `SELECT path.parent, sum(iif(${inAfter}, size, -size)) AS bytes, sum(iif(${inAfter}, 1, -1)) AS files
      FROM version CROSS JOIN path ON path.id = version.path
      WHERE version.type = ${fileCode} AND ${inBefore} <> ${inAfter} GROUP BY path.parent`,
    places,
  );
  const folders = new Folders(db);
  await folders.load(rows.map(({ parent }) => parent));
  const growth = new Map<number, FolderGrowth>();
  for (const { parent, bytes, files } of rows) {
    const chain = [0, ...folders.chain(parent)];
    const at = chain.indexOf(top);
    if (at < 0) continue;
    const id = chain[at + 1] ?? top;
    const known = growth.get(id) ?? { path: folders.pathOf(id), bytes: 0, files: 0 };
    growth.set(id, known);
    known.bytes += bytes;
    known.files += files;
  }
  return [...growth.values()]
    .filter(({ bytes, files }) => bytes !== 0 || files !== 0)
    .sort(
      (a, b) =>
        Math.abs(b.bytes) - Math.abs(a.bytes) || Math.abs(b.files) - Math.abs(a.files) || byText(a, b),
    );
}

const byText = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
