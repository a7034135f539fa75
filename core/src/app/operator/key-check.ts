import { type Entity, isStoreError, type Query, type StorageSession } from '@holdfast/plugin-api';
import { addSetting, readSetting, writeSetting } from '../../foundation/kernel/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';
import { pagesOf } from './move-storage.js';
import {
  envelopesIn,
  keyCheckPurpose,
  opensIn,
  type PurposesOf,
  purposesIn,
  type SealedPlace,
  sealedPlaces,
} from './reseal-secrets.js';

const key = 'key_check';

export interface KeyCheck {
  storage: StorageSession;
  secrets: SecretBox;
  isEnvelope(text: string): boolean;
}

/**
 * True when the key belongs to this storage. An empty storage adopts the key; of several processes with
 * different keys, only those with the first one continue.
 */
export async function claimSecretKey(check: KeyCheck): Promise<boolean> {
  if (!(await isSecretKey(check))) return false;
  const { storage, secrets } = check;
  if ((await readSetting(storage, key)) !== null) return true;
  try {
    await addSetting(storage, key, sealedNote(secrets));
    return true;
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    return isSecretKey(check);
  }
}

export const rememberSecretKey = (session: StorageSession, secrets: SecretBox): Promise<void> =>
  writeSetting(session, key, sealedNote(secrets));

const sealedNote = (secrets: SecretBox) => secrets.seal(keyCheckPurpose, 'the key of this database');

/** Changes nothing. For a storage from an earlier release, tries whether the key decrypts anything. */
export async function isSecretKey(check: KeyCheck): Promise<boolean> {
  const stored = await readSetting(check.storage, key);
  if (stored === null) return (await opensAnything(check)) ?? true;
  return opensIn(check.secrets, [keyCheckPurpose], String(stored));
}

/**
 * Copies of data in other rows, and the seal of the audit trail, which earlier releases renewed under any
 * key.
 */
const derived = new Set(['job', 'hook_journal', 'idempotency_key', 'audit_head']);

/** Null when nothing is sealed. Secrets that users entered are more conclusive than derived ones. */
async function opensAnything(check: KeyCheck): Promise<boolean | null> {
  const purposesOf = await purposesIn(check.storage);
  const isOriginal = ({ entity }: { entity: { name: string } }) => !derived.has(entity.name);
  const first = await opensOne(check, purposesOf, sealedPlaces.filter(isOriginal));
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

const rowsLookedAt = 200;

export interface ExaminedSecrets {
  /** Kinds whose sample could be decrypted. */
  open: string[];
  /** Names of the samples that could not be decrypted. */
  closed: string[];
}

/** Decrypts the newest secret of each kind. Changes nothing. */
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

type Row = Record<string, unknown>;

/** Display names of the kinds of secrets. */
const kinds: Record<string, string> = {
  'repository.passphrase': 'passphrases of repositories',
  'repository.next_passphrase': 'new passphrases of repositories',
  'repository.key_file': 'key files of repositories',
  'ssh_key.private_key': 'the SSH key',
  'notification_setting.service_url': 'service URLs of notifications',
  'repository_script.parameter_values': 'parameters of attached scripts',
  'schedule.pre_backup_script_parameters': 'parameters of scripts before scheduled backups',
  'schedule.post_backup_script_parameters': 'parameters of scripts after scheduled backups',
  'setting.value': 'settings',
  'hook_journal.plan': 'hooks that still have to run',
  'job.parameters': 'parameters of jobs',
  'idempotency_key.answer': 'stored responses',
  'audit_head.state': 'the seal of the audit trail',
};

const names: Record<string, (row: Row, path: string[]) => string> = {
  'repository.passphrase': ({ name }) => `the passphrase of repository ${name}`,
  'repository.next_passphrase': ({ name }) => `the new passphrase of repository ${name}`,
  'repository.key_file': ({ name }) => `the key file of repository ${name}`,
  'ssh_key.private_key': ({ name }) => `the SSH key ${name}`,
  'notification_setting.service_url': ({ name }) => `the service URL of notification ${name}`,
  'repository_script.parameter_values': ({ script_id, repository_id }, path) =>
    `the parameter ${path[0]} of script ${script_id} at repository ${repository_id}`,
  'schedule.pre_backup_script_parameters': ({ name }, path) =>
    `the parameter ${path[0]} of the script before schedule ${name}`,
  'schedule.post_backup_script_parameters': ({ name }, path) =>
    `the parameter ${path[0]} of the script after schedule ${name}`,
  'setting.value': ({ key }) => (key === 'cache' ? 'the address of the cache store' : `the setting ${key}`),
  'hook_journal.plan': ({ job_id }) => `the remaining hooks of job ${job_id}`,
  'job.parameters': ({ id }) => `a parameter of job ${id}`,
  'idempotency_key.answer': () => 'a stored response to a call with an Idempotency-Key',
  'audit_head.state': () => 'the seal of the audit trail',
};

const placeName = ({ entity, column }: SealedPlace) => `${entity.name}.${column}`;

const kindOfSecret = (place: SealedPlace): string => kinds[placeName(place)] ?? placeName(place);

export const nameOfSecret = (place: SealedPlace, row: Row, path: string[]): string =>
  names[placeName(place)]?.(row, path) ?? `${placeName(place)} of row ${row.id}`;
