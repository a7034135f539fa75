import type { Query } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import type { KeyCheck } from './key-check.js';
import { kindOfSecret, nameOfSecret } from './name-secret.js';
import { envelopesIn, opensIn, purposesIn, type SealedPlace, sealedPlaces } from './sealed-places.js';

const rowsLookedAt = 200;

export interface ExaminedSecrets {
  /** Kinds of which one opened. */
  open: string[];
  /** Those of which one does not, by its name. */
  closed: string[];
}

/** Opens one secret of each kind, the newest. Changes nothing. */
export async function examineSecrets(check: KeyCheck): Promise<ExaminedSecrets> {
  const examined: ExaminedSecrets = { open: [], closed: [] };
  const purposesOf = await purposesIn(check.storage);
  for (const place of sealedPlaces) {
    const found = await newestIn(check, place);
    if (!found) continue;
    const { row, text, path } = found;
    const purposes = purposesOf(place, row, path);
    if (purposes.length === 0) continue;
    if (opensIn(check.secrets, purposes, text)) examined.open.push(kindOfSecret(place));
    else examined.closed.push(nameOfSecret(place, row, path));
  }
  return examined;
}

async function newestIn({ storage, isEnvelope }: KeyCheck, { entity, column }: SealedPlace) {
  const query = { order: [['id', 'desc']], limit: rowsLookedAt } as unknown as Query<Entity>;
  for (const row of (await storage.find(entity, query)) as Record<string, unknown>[]) {
    for (const found of envelopesIn(row[column], isEnvelope)) return { row, ...found };
  }
  return null;
}
