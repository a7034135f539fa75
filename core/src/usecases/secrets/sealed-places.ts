import type { StorageSession } from '../../ports/storage.js';
import type { Entity } from '../../schema/entity.js';
import { allEntities, scripts } from '../../schema/tables.js';
import { cacheUrlPurpose } from '../cache/cache-choice.js';
import { parameterPurpose } from '../scripts/parameter-values.js';

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

/** Within JSON values there are values of script parameters and the address of the cache. */
export async function purposesIn(session: StorageSession): Promise<PurposesOf> {
  const uids = (await session.find(scripts)).map(({ uid }) => uid);
  return ({ purpose }, row, path) => {
    if (purpose !== 'inside') return [purpose.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))];
    const parameter = path.at(-1) === 'sealed' ? path.at(-2) : undefined;
    if (parameter === undefined) return [cacheUrlPurpose];
    return uids.map((uid) => parameterPurpose(uid, parameter));
  };
}
