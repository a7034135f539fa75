import type { IndexedArchive } from '@holdfast/core/server';
import type { Sqlite } from './sqlite.js';

export interface ArchiveRow {
  toolId: string;
  series: number;
  place: number;
  start: number;
  entries: number;
  files: number;
}

const columns = 'tool_id AS toolId, series, place, start, entries, files';

export const archiveRows = (db: Sqlite): Promise<ArchiveRow[]> =>
  db.all<ArchiveRow>(`SELECT ${columns} FROM archive ORDER BY start, series, place`);

/** Oldest first. */
export async function readArchives(db: Sqlite): Promise<IndexedArchive[]> {
  return (await archiveRows(db)).map(({ toolId, start, entries }) => ({ toolId, start, entries }));
}

/** Throws Error when it is not indexed. */
export async function findArchive(db: Sqlite, toolId: string): Promise<ArchiveRow> {
  const found = await db.get<ArchiveRow>(`SELECT ${columns} FROM archive WHERE tool_id = ?`, [toolId]);
  if (!found) throw new Error(`the archive ${toolId} is not indexed`);
  return found;
}

/**
 * Of each series in which some archives are chosen: a byte for each place from `base` on, 1 for an archive that remains.
 */
export async function remaining(
  db: Sqlite,
  chosen: readonly string[],
): Promise<{ series: number; base: number; bytes: Buffer; rows: ArchiveRow[] }[]> {
  const gone = new Set(chosen);
  const series = bySeries(await archiveRows(db));
  return [...series.values()]
    .filter((rows) => rows.some(({ toolId }) => gone.has(toolId)))
    .map((rows) => {
      const places = rows.map(({ place }) => place);
      const base = Math.min(...places);
      const bytes = Buffer.alloc(Math.max(...places) - base + 1);
      for (const { place, toolId } of rows) if (!gone.has(toolId)) bytes[place - base] = 1;
      return { series: rows[0]?.series ?? 0, base, bytes, rows };
    });
}

export function bySeries(rows: readonly ArchiveRow[]): Map<number, ArchiveRow[]> {
  const series = new Map<number, ArchiveRow[]>();
  for (const row of rows) {
    const known = series.get(row.series);
    if (known) known.push(row);
    else series.set(row.series, [row]);
  }
  return series;
}
