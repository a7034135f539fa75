import { isStoreError } from '../kernel/errors.js';
import type { SecretBox } from '../ports/services.js';
import type { StorageSession } from '../ports/storage.js';
import { settings } from '../schema/tables.js';
import { pagesOf } from './pages.js';
import {
  envelopesIn,
  keyCheckPurpose,
  opensIn,
  type PurposesOf,
  purposesIn,
  sealedPlaces,
} from './sealed-places.js';

const key = 'key_check';

export interface KeyCheck {
  storage: StorageSession;
  secrets: SecretBox;
  isEnvelope(text: string): boolean;
}

/**
 * True when the key is the one of this storage, which remembers it from then on. Of several processes that bring
 * different keys to an empty storage only those of the first go on.
 */
export async function claimSecretKey(check: KeyCheck): Promise<boolean> {
  if (!(await isSecretKey(check))) return false;
  const { storage, secrets } = check;
  if (await storedCheck(storage)) return true;
  try {
    await rememberSecretKey(storage, secrets);
    return true;
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    return isSecretKey(check);
  }
}

export async function rememberSecretKey(session: StorageSession, secrets: SecretBox): Promise<void> {
  await session.remove(settings, { key });
  await session.insert(settings, { key, value: secrets.seal(keyCheckPurpose, 'the key of this database') });
}

/** Changes nothing. A storage of an earlier release is asked for anything that the key opens. */
export async function isSecretKey(check: KeyCheck): Promise<boolean> {
  const stored = await storedCheck(check.storage);
  if (!stored) return (await opensAnything(check)) ?? true;
  return opensIn(check.secrets, [keyCheckPurpose], String(stored.value));
}

const storedCheck = async (session: StorageSession) =>
  (await session.find(settings, { where: { key }, limit: 1 }))[0];

/** Copies of what other rows hold; and the seal of the trail, which an earlier release renewed under any key. */
const derived = new Set(['job', 'hook_journal', 'idempotency_key', 'audit_head']);

/** Null when nothing is sealed. What people gave tells more than the rest. */
async function opensAnything(check: KeyCheck): Promise<boolean | null> {
  const purposesOf = await purposesIn(check.storage);
  const isTelling = ({ entity }: { entity: { name: string } }) => !derived.has(entity.name);
  const first = await opensOne(check, purposesOf, sealedPlaces.filter(isTelling));
  return (
    first ??
    opensOne(
      check,
      purposesOf,
      sealedPlaces.filter(({ entity }) => entity.name === 'audit_head'),
    )
  );
}

async function opensOne(
  { storage, secrets, isEnvelope }: KeyCheck,
  purposesOf: PurposesOf,
  places: typeof sealedPlaces,
): Promise<boolean | null> {
  let found = false;
  for (const place of places) {
    for await (const page of pagesOf(storage, place.entity)) {
      for (const row of page as Record<string, unknown>[]) {
        for (const { text, path } of envelopesIn(row[place.column], isEnvelope)) {
          if (opensIn(secrets, purposesOf(place, row, path), text)) return true;
          found = true;
        }
      }
    }
  }
  return found ? false : null;
}
