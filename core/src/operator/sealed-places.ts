import type { SecretBox } from '../ports/services.js';
import type { StorageSession } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import { allEntities, scripts } from '../schema/tables.js';
import { cacheUrlPurpose } from '../archives/cache/cache-choice.js';
import { parameterPurpose } from '../hooks/parameter-values.js';

/** Of the value by which a storage knows the key of its secrets. */
export const keyCheckPurpose = 'key-check';

/** One column that holds envelopes, by the marks of the schema. */
export interface SealedPlace {
  entity: Entity;
  column: string;
  /** With columns of the row in braces; `inside` for a JSON value. */
  purpose: string;
}

export const sealedPlaces: readonly SealedPlace[] = (allEntities as readonly Entity[]).flatMap((entity) =>
  Object.entries(entity.columns).flatMap(([column, { sealed }]) =>
    sealed === undefined ? [] : [{ entity, column, purpose: sealed }],
  ),
);

/** The purposes that an envelope may have: one of them opens it. `path`: the names on the way to it. */
export type PurposesOf = (place: SealedPlace, row: Record<string, unknown>, path: string[]) => string[];

/** Within JSON values there are values of script parameters, the address of the cache, and the check of the key. */
export async function purposesIn(session: StorageSession): Promise<PurposesOf> {
  const uids = (await session.find(scripts)).map(({ uid }) => uid);
  return ({ purpose }, row, path) => {
    if (purpose !== 'inside') return [purpose.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))];
    const parameter = path.at(-1) === 'sealed' ? path.at(-2) : undefined;
    if (parameter === undefined) return [cacheUrlPurpose, keyCheckPurpose];
    return uids.map((uid) => parameterPurpose(uid, parameter));
  };
}

/** The envelopes in a value, with the names on the way to each. */
export function* envelopesIn(
  value: unknown,
  isEnvelope: (text: string) => boolean,
  path: string[] = [],
): Generator<{ text: string; path: string[] }> {
  if (typeof value === 'string') {
    if (isEnvelope(value)) yield { text: value, path };
  } else if (value !== null && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) yield* envelopesIn(inner, isEnvelope, [...path, name]);
  }
}

/** Whether it opens for one of these purposes. */
export const opensIn = (secrets: SecretBox, purposes: readonly string[], text: string): boolean =>
  purposes.some((purpose) => {
    try {
      secrets.open(purpose, text);
      return true;
    } catch {
      return false;
    }
  });
