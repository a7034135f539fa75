import type { NewArchive } from '@holdfast/core/server';
import { firstPlace, leastPlace } from './schema.js';
import type { Sqlite } from './sqlite.js';

export interface Position {
  series: number;
  place: number;
  /** The archive next to it; null in a new series. */
  neighbour: Neighbour | null;
}

export interface Neighbour {
  toolId: string;
  place: number;
  files: number;
  /** Than the new one. */
  isOlder: boolean;
}

/** At the newer or older end of its series; an archive that belongs between two gets a series of its own. */
export async function positionOf(db: Sqlite, { name, hostname, start }: NewArchive): Promise<Position> {
  // Names of one schedule differ by their dates.
  const key = JSON.stringify([hostname, name.replace(/\d+/g, '')]);
  const found = await db.all<{ id: number; oldest: number; newest: number; since: number; until: number }>(
    `SELECT id, min(place) AS oldest, max(place) AS newest, min(start) AS since, max(start) AS until
      FROM series JOIN archive ON series = id WHERE key = ? GROUP BY id ORDER BY count(*) DESC, id`,
    [key],
  );
  for (const { id, oldest, newest, since, until } of found) {
    const isNewer = start >= until;
    if (!isNewer && (start > since || oldest - 1 < leastPlace)) continue;
    const [place, beside] = isNewer ? [newest + 1, newest] : [oldest - 1, oldest];
    const next = await db.get<{ toolId: string; files: number }>(
      'SELECT tool_id AS toolId, files FROM archive WHERE series = ? AND place = ?',
      [id, beside],
    );
    return next
      ? { series: id, place, neighbour: { ...next, place: beside, isOlder: isNewer } }
      : fresh(db, key);
  }
  return fresh(db, key);
}

async function fresh(db: Sqlite, key: string): Promise<Position> {
  await db.run('INSERT INTO series (key) VALUES (?)', [key]);
  const { id } = (await db.get<{ id: number }>('SELECT last_insert_rowid() AS id')) ?? { id: 0 };
  return { series: id, place: firstPlace, neighbour: null };
}
