import { hkdfSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteDatabase } from './store/sqlite-database.js';

export interface SealedText {
  place: string;
  keyId: string;
}

/** Every envelope in any column of any table, found by its form alone. */
export async function sealedTexts(file: string): Promise<SealedText[]> {
  const database = await SqliteDatabase.open(file);
  try {
    const tables = await database.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const found: SealedText[] = [];
    for (const { name } of tables) {
      for (const row of await database.all<Record<string, unknown>>(`SELECT * FROM "${name}"`)) {
        for (const [column, value] of Object.entries(row)) {
          if (typeof value !== 'string') continue;
          for (const [, keyId = ''] of value.matchAll(/\bhf1\.([0-9a-f]{12})\./g)) {
            found.push({ place: `${name}.${column}`, keyId });
          }
        }
      }
    }
    return found;
  } finally {
    await database.close();
  }
}

/** The public name of a key, which stands in each of its envelopes. */
export const keyId = (key: string): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'holdfast key id', 6)).toString('hex');

/** The keys that a service on this data folder would know without SECRET_KEY. */
export function keysIn(dataDirectory: string): string[] {
  const text = (name: string) => {
    const file = join(dataDirectory, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  };
  const former = JSON.parse(text('secret_key.former') ?? '[]') as string[];
  return [text('secret_key'), text('secret_key.next'), ...former].filter((key) => key !== null);
}
