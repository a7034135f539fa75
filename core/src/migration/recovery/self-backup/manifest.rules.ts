/** The folder of a copy inside the folder that is backed up. `recover` looks for it in the archives. */
export const copyFolder = 'holdfast-copy';
export const manifestFile = 'manifest.json';

/** Lists the files of a copy, to detect an incomplete one. */
export interface CopyManifest {
  format: 1;
  /** Release that made it. */
  holdfast: string;
  installation: string;
  /** Schema version of the database. */
  schema: number;
  /** Which storage takes the database up, as in `StorageCopies.form`. */
  database: string;
  made_at: string;
  host: string;
  /** Of every file but this one. Paths are relative to the copy. */
  files: { path: string; bytes: number; sha256: string }[];
}

/** Null for an invalid manifest. */
export function parseManifest(text: string): CopyManifest | null {
  try {
    const found = JSON.parse(text) as Partial<CopyManifest> | null;
    const files = found?.files;
    const isWhole =
      found?.format === 1 &&
      typeof found.schema === 'number' &&
      [found.holdfast, found.installation, found.database, found.made_at, found.host].every(isText) &&
      Array.isArray(files) &&
      files.every(({ path, bytes, sha256 }) => isInside(path) && Number.isInteger(bytes) && isText(sha256));
    return isWhole ? (found as CopyManifest) : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A manipulated copy must not name files outside of its folder. */
const isInside = (path: unknown): boolean =>
  isText(path) && path !== '' && path.split('/').every((part) => !['', '.', '..'].includes(part));

/** The file of the database in a copy. */
export const databaseFile = 'database';
