import { createHash } from 'node:crypto';
import type { StorageSession } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import { pagesOf } from './pages.js';

export interface EntityDigest {
  rows: number;
  /** SHA-256 over all rows in the order of their ids, in hexadecimal. */
  hash: string;
}

/** The same for the same rows in any storage: it is made of what the port gives, keys of JSON values in order. */
export async function digestOf(session: StorageSession, entity: Entity): Promise<EntityDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(session, entity)) {
    rows += page.length;
    for (const row of page) hash.update(`${canonical(row)}\n`);
  }
  return { rows, hash: hash.digest('hex') };
}

const canonical = (row: unknown): string => JSON.stringify(row, (_key, value) => ordered(value));

function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
