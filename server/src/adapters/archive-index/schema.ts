/** Raised when the tables change: files of another format are made again. */
export const indexFormat = 1;
/** "HFix" */
export const applicationId = 0x48466978;

/**
 * An archive has a place in its series; places only order. A version is in all archives of the series from `first` to
 * `last`; 0 and 1 are open ends: as far as the series reaches. So an archive that is added at an end of the series
 * changes only the rows that differ. Folders without an entry have versions too, without a time. A path has an id above
 * that of its folder.
 */
export const schema = `
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE archive (
  tool_id TEXT PRIMARY KEY, series INTEGER NOT NULL, place INTEGER NOT NULL, start INTEGER NOT NULL,
  entries INTEGER NOT NULL, files INTEGER NOT NULL, delta TEXT, UNIQUE (series, place)
) WITHOUT ROWID;
CREATE TABLE series (id INTEGER PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE path (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (parent, name));
CREATE TABLE version (
  path INTEGER NOT NULL, series INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  type INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER, extras TEXT,
  PRIMARY KEY (path, series, first)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE names USING fts5(
  text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;

/** In the middle, so that older archives fit before the first. */
export const firstPlace = 16_384;
/** Below are the open ends. */
export const leastPlace = 2;

/** True for the versions in the archive of this place. */
export const isIn = (place: string, version = 'version'): string =>
  `(${version}.first <= ${place} AND (${version}.last = 1 OR ${version}.last >= ${place}))`;
