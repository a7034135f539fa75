import type { ArchiveDelta } from '@holdfast/core/server';
import { Folders } from './folders.js';
import { realName } from './names.js';
import type { Neighbour } from './position.js';
import type { Sqlite } from './sqlite.js';

const mostFolders = 20;
const mostExamples = 3;

/** The name up to its last point, with it; null without an extension. */
const stem = (name: string): string =>
  `CASE WHEN length(rtrim(${name}, replace(${name}, '.', ''))) > 1 THEN rtrim(${name}, replace(${name}, '.', '')) END`;

/** By the temporary tables of an archive that was added just now. */
export async function deltaOf(db: Sqlite, before: Neighbour): Promise<ArchiveDelta> {
  const counts = await db.get<{ added: number; changed: number; removed: number }>(
    `SELECT count(*) FILTER (WHERE kind = 0) AS added, count(*) FILTER (WHERE kind = 1) AS changed,
      count(*) FILTER (WHERE kind = 2) AS removed FROM moved`,
  );
  const { added = 0, changed = 0, removed = 0 } = counts ?? {};
  const renamed = added > 0 && removed > 0 ? await countRenamed(db) : 0;
  const folders = await foldersOf(db);
  return { before: before.toolId, filesBefore: before.files, added, changed, removed, renamed, folders };
}

async function countRenamed(db: Sqlite): Promise<number> {
  await db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS fresh (
      parent INTEGER, name TEXT, stem TEXT, PRIMARY KEY (parent, name)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS temp.fresh_stem ON fresh (parent, stem);
    DELETE FROM fresh;
    INSERT INTO fresh SELECT parent, name, ${stem('name')} FROM moved JOIN path ON id = path WHERE kind = 0`);
  const { renamed } = (await db.get<{ renamed: number }>(
    `SELECT count(*) AS renamed FROM moved JOIN path AS old ON old.id = moved.path WHERE kind = 2 AND (
      EXISTS (SELECT 1 FROM fresh WHERE fresh.parent = old.parent AND fresh.stem = ${stem('old.name')})
      OR EXISTS (SELECT 1 FROM fresh WHERE fresh.parent = old.parent
        AND fresh.name > old.name || '.' AND fresh.name < old.name || '/'))`,
  )) ?? { renamed: 0 };
  await db.exec('DELETE FROM fresh');
  return renamed;
}

async function foldersOf(db: Sqlite): Promise<ArchiveDelta['folders']> {
  const rows = await db.all<{ parent: number; changed: number; removed: number }>(
    `SELECT parent, count(*) FILTER (WHERE kind = 1) AS changed, count(*) FILTER (WHERE kind = 2) AS removed
      FROM moved JOIN path ON id = path WHERE kind > 0 GROUP BY parent ORDER BY count(*) DESC, parent
      LIMIT ${mostFolders}`,
  );
  const paths = new Folders(db);
  await paths.load(rows.map(({ parent }) => parent));
  const folders: ArchiveDelta['folders'] = [];
  for (const { parent, changed, removed } of rows) {
    const examples = await db.all<{ name: string }>(
      `SELECT name FROM path JOIN moved ON path = id WHERE parent = ? AND kind > 0 ORDER BY name LIMIT ${mostExamples}`,
      [parent],
    );
    folders.push({
      path: paths.pathOf(parent),
      changed,
      removed,
      examples: examples.map(({ name }) => realName(name)),
    });
  }
  return folders;
}
