import type { FoundPaths, PathSearch } from '@holdfast/core/server';
import { archiveRows, bySeries } from './archive-book.js';
import { typeCode } from './entry-rows.js';
import { Folders } from './folders.js';
import { allOf, joined, realName, searchText, shortPart, trigramsOf } from './names.js';
import { list, type Sqlite, type Value } from './sqlite.js';
import { versionsOf } from './versions.js';

/** Ids that are read before the time is checked again. */
const windows = { indexed: 200_000, scanned: 20_000 };
const mostAtOnce = 2_000;
/** Trigrams in a query, and names by which the rarest ones are chosen. */
const asked = 6;
const sampled = 200;

interface Candidate {
  id: number;
  parent: number;
  name: string;
}

/**
 * In the order in which paths were first added: a page ends where it is full, so that a text which all names have costs
 * no more than a page.
 */
export async function searchPaths(db: Sqlite, search: PathSearch): Promise<FoundPaths> {
  const { matches, limit, isOver, signal } = search;
  const { max } = (await db.get<{ max: number | null }>('SELECT max(id) AS max FROM path')) ?? {};
  const candidates = await candidatesOf(db, search);
  const folders = new Folders(db);
  const found = new Map<number, string>();
  let atOnce = Math.min(2 * limit + 1, mostAtOnce);
  let after = search.after ?? 0;
  let next: number | null = null;
  while (after < (max ?? 0) && next === null) {
    signal?.throwIfAborted();
    const { rows, end } = await candidates(after, atOnce);
    await folders.load(rows.map(({ parent }) => parent));
    for (const { id, parent, name } of rows) {
      const directory = folders.pathOf(parent);
      if (!matches(directory, realName(name))) continue;
      if (found.size === limit) {
        next = [...found.keys()].at(-1) ?? after;
        break;
      }
      found.set(id, joined(directory, realName(name)));
    }
    after = end;
    if (next === null && after < (max ?? 0) && isOver?.()) next = after;
    atOnce = Math.min(2 * atOnce, mostAtOnce);
  }
  const versions = await versionsOf(db, found);
  return { items: [...found].map(([id, path]) => ({ path, versions: versions.get(id) ?? [] })), next };
}

/** Reads those after an id; `end` is the last that was looked at. */
async function candidatesOf(db: Sqlite, search: PathSearch) {
  const { sql, values } = await conditionsOf(db, search);
  const trigrams = await rarest(db, trigramsOf(search.literal));
  const query = trigrams.length === 0 ? null : allOf(trigrams);
  const window = query === null ? windows.scanned : windows.indexed;
  const [from, id, condition, text] =
    query === null
      ? [
          'path',
          'path.id',
          '(instr(lower(name), ?3) > 0 OR octet_length(name) <> length(name))',
          shortPart(search.literal),
        ]
      : ['names CROSS JOIN path ON path.id = names.rowid', 'names.rowid', 'names MATCH ?3', query];
  const statement = `SELECT path.id, path.parent, path.name FROM ${from}
    WHERE ${id} > ?1 AND ${id} <= ?2 AND ${condition} ${sql} ORDER BY ${id} LIMIT ?4`;
  return async (after: number, atOnce: number): Promise<{ rows: Candidate[]; end: number }> => {
    const rows = await db.all<Candidate>(statement, [after, after + window, text, atOnce, ...values]);
    return { rows, end: rows.length < atOnce ? after + window : (rows.at(-1)?.id ?? after) };
  };
}

/**
 * Those that fewest names have, by some names: to read a common one costs as many steps as there are names, and finds
 * nothing.
 */
async function rarest(db: Sqlite, trigrams: string[]): Promise<string[]> {
  if (trigrams.length <= asked) return trigrams;
  const { max } = (await db.get<{ max: number }>('SELECT max(id) AS max FROM path')) ?? {};
  const ids = Array.from({ length: sampled }, (_, n) => Math.ceil(((n + 1) * (max ?? 0)) / sampled));
  const rows = await db.all<{ name: string }>(
    'SELECT name FROM path WHERE id IN (SELECT value FROM json_each(?))',
    [list(ids)],
  );
  const names = rows.map(({ name }) => searchText(name));
  const counts = new Map(trigrams.map((each) => [each, names.filter((name) => name.includes(each)).length]));
  return trigrams.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, asked);
}

/** Of versions; the parameters begin with the fifth. */
async function conditionsOf(db: Sqlite, search: PathSearch): Promise<{ sql: string; values: Value[] }> {
  const { type, minSize, maxSize, since, until } = search;
  const asked: [string, Value | undefined][] = [
    ['type =', type && typeCode(type)],
    ['size >=', minSize],
    ['size <=', maxSize],
    ['mtime >=', since],
    ['mtime <', until],
  ];
  const values: Value[] = [];
  const parameter = (value: Value): string => `?${values.push(value) + 4}`;
  const conditions = asked.flatMap(([what, value]) =>
    value === undefined ? [] : [`version.${what} ${parameter(value)}`],
  );
  let sql = '';
  if (conditions.length > 0)
    sql += `AND EXISTS (SELECT 1 FROM version WHERE path = path.id AND ${conditions.join(' AND ')})`;
  if (search.deleted)
    sql += ` AND NOT EXISTS (SELECT 1 FROM version WHERE path = path.id AND last = 1
      AND series IN (SELECT value FROM json_each(${parameter(list(await newestSeries(db)))})))`;
  return { sql, values };
}

/** Those with the newest archive of their kind: archives that were added in between have series of their own. */
async function newestSeries(db: Sqlite): Promise<number[]> {
  const keys = new Map(
    (await db.all<{ id: number; key: string }>('SELECT id, key FROM series')).map(({ id, key }) => [id, key]),
  );
  const newest = new Map<string, { series: number; start: number }>();
  for (const [series, rows] of bySeries(await archiveRows(db))) {
    const key = keys.get(series) ?? '';
    const start = rows.at(-1)?.start ?? 0;
    const known = newest.get(key);
    if (!known || start > known.start) newest.set(key, { series, start });
  }
  return [...newest.values()].map(({ series }) => series);
}
