import type { LostFiles } from '@holdfast/core/server';
import { remaining } from './archive-book.js';
import { fileCode } from './entry-rows.js';
import { Folders } from './folders.js';
import { joined, realName } from './names.js';
import type { Sqlite } from './sqlite.js';

const most = 20;

/** True for versions that an archive has which remains; `removal` is their series, if some of it is removed. */
const isKept = `CASE WHEN removal.series IS NULL THEN 1
  WHEN last = 1 AND newest THEN 1 WHEN first = 0 AND oldest THEN 1
  ELSE instr(substr(bytes, max(first, base) - base + 1,
    CASE WHEN last = 1 THEN length(bytes) ELSE last - max(first, base) + 1 END), x'01') > 0 END`;

/** Regular files of which no archive has a version but those that are removed. */
export async function lostFiles(db: Sqlite, removed: readonly string[]): Promise<LostFiles> {
  await db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS removal (
      series INTEGER PRIMARY KEY, base INTEGER, oldest INTEGER, newest INTEGER, bytes BLOB
    );
    CREATE TEMP TABLE IF NOT EXISTS lost (path INTEGER PRIMARY KEY, parent INTEGER, size INTEGER, archive TEXT);
    DELETE FROM removal; DELETE FROM lost`);
  const series = await remaining(db, removed);
  if (series.length === 0) return { files: 0, bytes: 0, largest: [], folders: [] };
  for (const { series: id, base, bytes } of series) {
    const values = [id, base, bytes[0] ?? 0, bytes.at(-1) ?? 0, bytes];
    await db.run('INSERT INTO removal VALUES (?, ?, ?, ?, ?)', values);
  }
  await db.run(`INSERT INTO lost (path) SELECT path FROM version LEFT JOIN removal USING (series)
    WHERE version.type = ${fileCode} GROUP BY path HAVING max(${isKept}) = 0`);
  await addNewest(db);
  const { files = 0, bytes = 0 } =
    (await db.get<{ files: number; bytes: number }>(
      'SELECT count(*) AS files, total(size) AS bytes FROM lost',
    )) ?? {};
  return { files, bytes, largest: await largestOf(db), folders: await foldersOf(db) };
}

/** The folder, and the size in the newest archive. */
async function addNewest(db: Sqlite): Promise<void> {
  await db.run(`
    UPDATE lost SET parent = found.parent, size = found.size, archive = found.tool_id FROM (
      SELECT lost.path, path.parent, version.size, archive.tool_id, max(archive.start)
      FROM lost CROSS JOIN path ON path.id = lost.path
      CROSS JOIN version ON version.path = lost.path AND version.type = ${fileCode}
      CROSS JOIN archive ON archive.series = version.series AND archive.place = (
        SELECT max(place) FROM archive AS each WHERE each.series = version.series
          AND (version.last = 1 OR each.place <= version.last))
      GROUP BY lost.path) AS found
    WHERE found.path = lost.path`);
}

async function largestOf(db: Sqlite): Promise<LostFiles['largest']> {
  const rows = await db.all<{ parent: number; name: string; size: number; archive: string }>(
    `SELECT path.parent, name, size, archive FROM lost JOIN path ON id = path ORDER BY size DESC, path LIMIT ${most}`,
  );
  const folders = new Folders(db);
  await folders.load(rows.map(({ parent }) => parent));
  return rows.map(({ parent, name, size, archive }) => ({
    path: joined(folders.pathOf(parent), realName(name)),
    size,
    archive,
  }));
}

/** Of the first level at which the files divide. */
async function foldersOf(db: Sqlite): Promise<LostFiles['folders']> {
  const rows = await db.all<{ parent: number; files: number; bytes: number }>(
    'SELECT parent, count(*) AS files, total(size) AS bytes FROM lost GROUP BY parent',
  );
  const folders = new Folders(db);
  await folders.load(rows.map(({ parent }) => parent));
  const chains = rows.map((row) => ({ ...row, chain: folders.chain(row.parent) }));
  const [first] = chains;
  let level = 0;
  while (
    first &&
    first.chain[level] !== undefined &&
    chains.every(({ chain }) => chain[level] === first.chain[level])
  )
    level++;
  const sums = new Map<number, { path: string; files: number; bytes: number }>();
  for (const { parent, chain, files, bytes } of chains) {
    const id = chain[level] ?? parent;
    const sum = sums.get(id) ?? { path: folders.pathOf(id), files: 0, bytes: 0 };
    sums.set(id, sum);
    sum.files += files;
    sum.bytes += bytes;
  }
  return [...sums.values()]
    .sort((a, b) => b.bytes - a.bytes || b.files - a.files || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}
