import { remaining } from './archive-book.js';
import { searchText } from './names.js';
import { list, type Sqlite } from './sqlite.js';

const atOnce = 2_000;
/** When so large a share of all paths goes, the search index is written again to give back its space. */
const muchGone = 1 / 8;

/** In a transaction. */
export async function removeArchives(db: Sqlite, toolIds: readonly string[]): Promise<void> {
  const series = await remaining(db, toolIds);
  if (series.length === 0) return;
  await db.exec('CREATE TEMP TABLE IF NOT EXISTS going (path INTEGER PRIMARY KEY); DELETE FROM going');
  for (const { series: id, base, bytes, rows } of series) {
    const gone = rows.filter(({ place }) => bytes[place - base] === 0).map(({ toolId }) => toolId);
    await db.run('DELETE FROM archive WHERE tool_id IN (SELECT value FROM json_each(?))', [list(gone)]);
    const left = rows.filter(({ place }) => bytes[place - base] === 1);
    const none = `series = ?1 AND instr(substr(?2, max(first, ?3) - ?3 + 1,
      CASE WHEN last = 1 THEN length(?2) ELSE last - max(first, ?3) + 1 END), x'01') = 0`;
    const values = [id, bytes, base];
    await db.run(`INSERT OR IGNORE INTO going SELECT path FROM version WHERE ${none}`, values);
    await db.run(`DELETE FROM version WHERE ${none}`, values);
    const [oldest, newest] = [left[0]?.place, left.at(-1)?.place];
    if (oldest === undefined || newest === undefined) await db.run('DELETE FROM series WHERE id = ?', [id]);
    else {
      await db.run('UPDATE version SET last = 1 WHERE series = ? AND last >= ?', [id, newest]);
      await db.run('UPDATE version SET first = 0 WHERE series = ? AND first > 0 AND first <= ?', [
        id,
        oldest,
      ]);
    }
  }
  await removePaths(db);
}

/** Those of `going` that no version has: then no path in them has one. */
async function removePaths(db: Sqlite): Promise<void> {
  await db.exec('DELETE FROM going WHERE EXISTS (SELECT 1 FROM version WHERE version.path = going.path)');
  let removed = 0;
  for (let after = 0; ; ) {
    const rows = await db.all<{ id: number; name: string }>(
      `SELECT id, name FROM going CROSS JOIN path ON id = path WHERE path > ? ORDER BY path LIMIT ${atOnce}`,
      [after],
    );
    if (rows.length === 0) break;
    await db.run(
      "INSERT INTO names (names, rowid, text) SELECT 'delete', value->>0, value->>1 FROM json_each(?)",
      [list(rows.map(({ id, name }) => [id, searchText(name)]))],
    );
    after = rows.at(-1)?.id ?? after;
    removed += rows.length;
  }
  await db.exec('DELETE FROM path WHERE id IN (SELECT path FROM going); DELETE FROM going');
  const { left } = (await db.get<{ left: number }>('SELECT count(*) AS left FROM path')) ?? { left: 0 };
  if (removed > muchGone * (left + removed)) await db.exec("INSERT INTO names (names) VALUES ('optimize')");
}
