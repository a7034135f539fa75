import type { Entity, StorageBackend, StorageSession, Where } from '@holdfast/plugin-api';
import { cacheUrlPurpose } from '../../backup/archives/index.js';
import { parameterPurpose, scripts } from '../../backup/hooks/index.js';
import { AppError, conflict, inTransaction, say } from '../../foundation/kernel/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';
import { allEntities } from '../schema/tables.js';
import { pagesOf } from './move-storage.js';

export interface Resealing {
  storage: StorageBackend;
  /** Decrypts the existing secrets. */
  before: SecretBox;
  /** Knows only the new key. */
  after: SecretBox;
  isEnvelope(text: string): boolean;
  /** Rejects when another process uses the storage. Called within the transaction. */
  refuseUsers(session: StorageSession): Promise<void>;
}

export interface Resealed {
  /** Resealed now. `already` counts those that were under the new key before. */
  resealed: number;
  already: number;
  /** Parameter values whose script was deleted. They are unusable. */
  orphaned: number;
}

/**
 * Reseals every secret of the storage under the new key in one transaction, so that an interruption leaves
 * all of them under one key. Throws AppError `conflict`, which names the secrets that neither key decrypts;
 * nothing has changed then.
 */
export function resealSecrets(work: Resealing): Promise<Resealed> {
  return inTransaction(work.storage, async (session) => {
    await work.refuseUsers(session);
    const walk = new Walk(work, await purposesIn(session));
    for (const place of sealedPlaces) await walk.place(session, place);
    if (walk.unreadable.length > 0) throw unreadable(walk.unreadable);
    return walk.counts;
  });
}

/**
 * Decrypts all secrets with the new key alone and returns their number. Throws AppError `internal`, which
 * names those that fail.
 */
export async function verifySecrets(work: Resealing): Promise<number> {
  const walk = new Walk({ ...work, before: work.after }, await purposesIn(work.storage));
  for (const place of sealedPlaces) await walk.read(work.storage, place);
  if (walk.unreadable.length === 0) return walk.counts.already;
  const message = say`secrets_unreadable_by_new_key: The new key cannot decrypt ${{ secrets: walk.unreadable }}.`;
  throw new AppError('internal', message);
}

class Walk {
  readonly counts: Resealed = { resealed: 0, already: 0, orphaned: 0 };
  readonly unreadable: string[] = [];

  constructor(
    private readonly work: Resealing,
    private readonly purposesOf: PurposesOf,
  ) {}

  async place(session: StorageSession, place: SealedPlace): Promise<void> {
    const { entity, column } = place;
    for await (const page of pagesOf(session, entity)) {
      for (const row of page as Record<string, unknown>[]) {
        const value = this.resealed(place, row, row[column], []);
        if (value === row[column]) continue;
        await session.update(entity, { id: row.id } as Where<Entity>, { [column]: value } as object);
      }
    }
  }

  async read(session: StorageSession, place: SealedPlace): Promise<void> {
    for await (const page of pagesOf(session, place.entity)) {
      for (const row of page as Record<string, unknown>[]) {
        this.resealed(place, row, row[place.column], []);
      }
    }
  }

  /** Returns the value itself when nothing in it changes. */
  private resealed(
    place: SealedPlace,
    row: Record<string, unknown>,
    value: unknown,
    path: string[],
  ): unknown {
    if (typeof value === 'string') return this.envelope(place, row, value, path);
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      const found = this.resealed(place, row, inner, [...path, name]);
      return { name, found, changed: found !== inner };
    });
    if (!entries.some(({ changed }) => changed)) return value;
    if (Array.isArray(value)) return entries.map(({ found }) => found);
    return Object.fromEntries(entries.map(({ name, found }) => [name, found]));
  }

  private envelope(place: SealedPlace, row: Record<string, unknown>, text: string, path: string[]): string {
    if (!this.work.isEnvelope(text)) return text;
    const { before, after } = this.work;
    for (const purpose of this.purposesOf(place, row, path)) {
      if (opened(after, purpose, text) !== null) {
        this.counts.already += 1;
        return text;
      }
      const plain = opened(before, purpose, text);
      if (plain === null) continue;
      this.counts.resealed += 1;
      return after.seal(purpose, plain);
    }
    if (path.at(-1) === 'sealed') this.counts.orphaned += 1;
    else this.unreadable.push(`${place.entity.name} ${row.id} (${place.column})`);
    return text;
  }
}

function opened(box: SecretBox, purpose: string, envelope: string): string | null {
  try {
    return box.open(purpose, envelope);
  } catch {
    return null;
  }
}

const unreadable = (secrets: string[]) =>
  conflict(
    say`secrets_unreadable: The current key cannot decrypt these secrets: ${{ secrets }}. Nothing was changed. Use the SECRET_KEY that they were encrypted with, or remove them with "holdfast secrets forget".`,
  );

/** The purpose of the value that identifies the secret key of a storage. */
export const keyCheckPurpose = 'key-check';

/** A column that contains envelopes, as marked in the schema. */
export interface SealedPlace {
  entity: Entity;
  column: string;
  /** With column names in braces; `inside` for a JSON value. */
  purpose: string;
}

export const sealedPlaces: readonly SealedPlace[] = (allEntities as readonly Entity[]).flatMap((entity) =>
  Object.entries(entity.columns).flatMap(([column, { sealed }]) =>
    sealed === undefined ? [] : [{ entity, column, purpose: sealed }],
  ),
);

/** The possible purposes of an envelope; one of them decrypts it. `path` is its property path. */
export type PurposesOf = (place: SealedPlace, row: Record<string, unknown>, path: string[]) => string[];

/** JSON values contain script parameters, the address of the cache and the key check. */
export async function purposesIn(session: StorageSession): Promise<PurposesOf> {
  const uids = (await session.find(scripts)).map(({ uid }) => uid);
  return ({ purpose }, row, path) => {
    if (purpose !== 'inside') return [purpose.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))];
    const parameter = path.at(-1) === 'sealed' ? path.at(-2) : undefined;
    if (parameter === undefined) return [cacheUrlPurpose, keyCheckPurpose];
    return uids.map((uid) => parameterPurpose(uid, parameter));
  };
}

/** The envelopes in a value, with the property path of each. */
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

/** Whether the text can be decrypted for one of these purposes. */
export const opensIn = (secrets: SecretBox, purposes: readonly string[], text: string): boolean =>
  purposes.some((purpose) => {
    try {
      secrets.open(purpose, text);
      return true;
    } catch {
      return false;
    }
  });
