import type { PathVersion } from '@holdfast/core/server';
import { archiveRows, bySeries } from './archive-book.js';
import { indexedEntry, type VersionRow, versionColumns } from './entry-rows.js';
import { idOfPath } from './folders.js';
import { list, type Sqlite } from './sqlite.js';

/** Of these paths: each different entry with the archives that have it, of all series. */
export async function versionsOf(
  db: Sqlite,
  paths: ReadonlyMap<number, string>,
): Promise<Map<number, PathVersion[]>> {
  const rows = await db.all<VersionRow & { path: number; series: number; first: number; last: number }>(
    `SELECT path, series, first, last, ${versionColumns('version')} FROM version
      WHERE path IN (SELECT value FROM json_each(?)) ORDER BY path, series, first`,
    [list(paths.keys())],
  );
  const archives = await archiveRows(db);
  const ranks = new Map(archives.map(({ toolId }, rank) => [toolId, rank]));
  const series = bySeries(archives);
  const versions = new Map<number, Map<string, PathVersion>>();
  for (const row of rows) {
    const entry = indexedEntry(paths.get(row.path) ?? '', row);
    const ids = (series.get(row.series) ?? [])
      .filter(({ place }) => row.first <= place && (row.last === 1 || place <= row.last))
      .map(({ toolId }) => toolId);
    const known = versions.get(row.path) ?? new Map<string, PathVersion>();
    versions.set(row.path, known);
    const key = JSON.stringify(entry);
    const same = known.get(key);
    if (same) same.archives.push(...ids);
    else known.set(key, { entry, archives: ids });
  }
  const rankOf = (id: string | undefined): number => ranks.get(id ?? '') ?? 0;
  return new Map(
    [...versions].map(([path, known]) => {
      for (const { archives: ids } of known.values()) ids.sort((a, b) => rankOf(a) - rankOf(b));
      return [path, [...known.values()].sort((a, b) => rankOf(a.archives[0]) - rankOf(b.archives[0]))];
    }),
  );
}

/** Null when no archive has it. */
export async function historyOf(db: Sqlite, path: string): Promise<PathVersion[] | null> {
  const id = await idOfPath(db, path);
  return (id && (await versionsOf(db, new Map([[id, path]]))).get(id)) || null;
}
