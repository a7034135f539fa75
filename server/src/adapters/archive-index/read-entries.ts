import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { findArchive } from './archive-book.js';
import { archiveEntry, type VersionRow, versionColumns } from './entry-rows.js';
import { Folders } from './folders.js';
import { joined, realName } from './names.js';
import { isIn } from './schema.js';
import type { Sqlite } from './sqlite.js';

const atOnce = 2_000;

/** Everything in one archive; parents first, because they have smaller ids. */
export async function* readEntries(
  db: Sqlite,
  toolId: string,
  signal?: AbortSignal,
): AsyncGenerator<ArchiveEntry[]> {
  const { series, place } = await findArchive(db, toolId);
  const folders = new Folders(db);
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await db.all<VersionRow & { id: number; parent: number; name: string }>(
      `SELECT path.id, path.parent, path.name, ${versionColumns('version')}
        FROM version CROSS JOIN path ON path.id = version.path
        WHERE version.path > ?1 AND version.series = ?2 AND ${isIn('?3')} ORDER BY version.path LIMIT ${atOnce}`,
      [after, series, place],
    );
    if (rows.length === 0) return;
    await folders.load(rows.map(({ parent }) => parent));
    yield rows
      .filter(({ type, mtime }) => type !== 0 || mtime !== null)
      .map((row) => archiveEntry(joined(folders.pathOf(row.parent), realName(row.name)), row));
    after = rows.at(-1)?.id ?? after;
  }
}
