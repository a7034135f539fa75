import type { Position } from './position.js';
import { isIn } from './schema.js';
import type { Sqlite } from './sqlite.js';

/**
 * `listed`, `found`: a batch. `seen`: what the archive has. `used`: folders with content. `late`: directories to write at
 * the end. `linked`: further names of hard-linked files. `gone`, `moved`: against the neighbour; 0 added, 1 changed, 2 removed.
 */
export async function makeTables(db: Sqlite): Promise<void> {
  const columns = 'type INTEGER, size INTEGER, mtime INTEGER, extras TEXT';
  await db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS listed (parent INTEGER, name TEXT, ${columns});
    CREATE TEMP TABLE IF NOT EXISTS found (
      path INTEGER PRIMARY KEY, is_same INTEGER, was INTEGER, is_changed INTEGER, ${columns}
    );
    CREATE TEMP TABLE IF NOT EXISTS seen (path INTEGER PRIMARY KEY, type INTEGER, batch INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS used (path INTEGER PRIMARY KEY);
    CREATE TEMP TABLE IF NOT EXISTS late (path INTEGER PRIMARY KEY, mtime INTEGER, extras TEXT);
    CREATE TEMP TABLE IF NOT EXISTS linked (
      parent INTEGER, name TEXT, ${columns}, target_parent INTEGER, target_name TEXT
    );
    CREATE TEMP TABLE IF NOT EXISTS gone (path INTEGER PRIMARY KEY, type INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS moved (path INTEGER PRIMARY KEY, kind INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS batch (number INTEGER);
    DELETE FROM listed; DELETE FROM found; DELETE FROM seen; DELETE FROM used; DELETE FROM late;
    DELETE FROM linked; DELETE FROM gone; DELETE FROM moved; DELETE FROM batch; INSERT INTO batch VALUES (0);`);
}

export const emptyBatch = 'DELETE FROM listed; DELETE FROM found; UPDATE batch SET number = number + 1';

const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `value->>${index}`).join(', ');

const isSame = `version.type = listed.type AND version.size = listed.size AND version.mtime IS listed.mtime
  AND version.extras IS listed.extras`;

/** As `isChanged` says, of regular files. */
const isChanged = `version.size <> listed.size OR version.mtime IS NOT listed.mtime
  OR version.extras->>'d' IS NOT listed.extras->>'d'`;

export type Statements = ReturnType<typeof statementsFor>;

export function statementsFor({ neighbour }: Position) {
  const isOlder = neighbour?.isOlder ?? true;
  /** Of the versions that this archive has too, or that its neighbour has. */
  const isOpen = (version: string) => `${version}.${isOlder ? 'last = 1' : 'first = 0'}`;
  /** Closed at the neighbour's place ?1. */
  const close = isOlder
    ? 'UPDATE version SET last = ?1 WHERE series = ?2 AND last = 1 AND first <= ?1'
    : 'UPDATE version SET first = ?1 WHERE series = ?2 AND first = 0 AND (last = 1 OR last >= ?1)';
  const closed = isOlder ? 'first <= ?1' : '(last = 1 OR last >= ?1)';
  return {
    list: `INSERT INTO listed SELECT ${fields(6)} FROM json_each(?)`,
    link: `INSERT INTO linked SELECT ${fields(8)} FROM json_each(?)`,
    compare: `INSERT OR IGNORE INTO found
      SELECT path.id, ${neighbour ? `CASE WHEN version.path IS NOT NULL THEN ${isSame} END` : 'NULL'}, version.type,
        ${isChanged}, listed.type, listed.size, listed.mtime, listed.extras
      FROM listed CROSS JOIN path ON path.parent = listed.parent AND path.name = listed.name
      LEFT JOIN version ON version.path = path.id AND version.series = ?1 AND ${isOpen('version')}`,
    see: 'INSERT OR IGNORE INTO seen SELECT path, type, number FROM found, batch',
    /** Those of a batch before: of two with a name the first one counts. */
    dropSeen: `DELETE FROM found WHERE NOT EXISTS (
      SELECT 1 FROM seen, batch WHERE seen.path = found.path AND seen.batch = batch.number)`,
    /** But a directory counts, and of two directories the last one. */
    findLate: `INSERT OR REPLACE INTO late SELECT id, mtime, extras FROM (
      SELECT path.id, listed.mtime, listed.extras, max(listed.rowid), version.path IS NOT NULL AND ${isSame} AS is_same
      FROM listed CROSS JOIN path ON path.parent = listed.parent AND path.name = listed.name
      LEFT JOIN version ON version.path = path.id AND version.series = ?1 AND ${isOpen('version')}
      WHERE listed.type = 0 GROUP BY path.id) WHERE NOT is_same OR id IN (SELECT path FROM late)`,
    noteChanges: `INSERT OR REPLACE INTO moved SELECT path, CASE WHEN type <> 1 THEN 2 WHEN was IS 1 THEN 1 ELSE 0 END
      FROM found WHERE is_same IS NOT 1 AND CASE WHEN type = 1 THEN was IS NOT 1 OR is_changed ELSE was IS 1 END`,
    closeFound: `${close} AND path IN (SELECT path FROM found WHERE is_same = 0)`,
    write: `INSERT INTO version SELECT path, ?1, ?2, ?3, type, size, mtime, extras FROM found WHERE is_same IS NOT 1`,
    listLinks: `INSERT INTO listed
      SELECT linked.parent, linked.name, linked.type, coalesce(version.size, linked.size), linked.mtime,
        CASE WHEN version.extras->>'d' THEN json_set(linked.extras, '$.d', 1) ELSE linked.extras END
      FROM linked LEFT JOIN path ON path.parent = target_parent AND path.name = target_name
        AND path.id IN (SELECT path FROM seen)
      LEFT JOIN version ON version.path = path.id AND version.series = ?3 AND ${isOpen('version')}
      WHERE linked.rowid > ?1 AND linked.rowid <= ?2 ORDER BY linked.rowid`,
    implied: `INSERT OR IGNORE INTO late
      SELECT used.path, NULL, NULL FROM used LEFT JOIN seen ON seen.path = used.path WHERE seen.type IS NOT 0`,
    takeBackSame: `${close} AND path IN (SELECT path FROM late JOIN seen USING (path))`,
    takeBackOwn: `DELETE FROM version WHERE series = ?2 AND ${
      neighbour ? (isOlder ? 'first = ?1' : 'last = ?1') : '?1 > 0'
    } AND path IN (SELECT path FROM late)`,
    noteReplaced: `INSERT INTO moved SELECT path, 2 FROM version WHERE type = 1 AND series = ?2 AND ${isIn('?1')} AND path IN (SELECT path FROM late)`,
    listLate: `INSERT INTO listed SELECT parent, name, 0, 0, mtime, extras FROM late JOIN path ON id = path`,
    findGone: `INSERT INTO gone SELECT path, type FROM version
      WHERE series = ?2 AND ${isOpen('version')} AND ${closed} AND path NOT IN (SELECT path FROM seen)`,
    noteGone: 'INSERT OR REPLACE INTO moved SELECT path, 2 FROM gone WHERE type = 1',
    closeGone: `${close} AND path IN (SELECT path FROM gone)`,
  };
}
