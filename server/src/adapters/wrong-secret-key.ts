import { rm } from 'node:fs/promises';
import { claimSecretKey, isSecretKey } from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { type Configuration, ConfigurationError } from '../config.js';
import { isEnvelope, makeSecretBox } from './secret-box.js';
import { keyFiles, type SecretKeys } from './secret-key.js';

type Place = Pick<Configuration, 'dataDirectory' | 'secretKey'>;

/**
 * ConfigurationError unless the key belongs to this storage. In that case, a newly generated key is removed.
 */
export async function claimMatchingKey(
  storage: StorageBackend,
  { keys, place }: { keys: SecretKeys; place: Place },
): Promise<void> {
  if (await claimSecretKey({ storage, secrets: makeSecretBox(keys), isEnvelope })) return;
  if (keys.isNew) await rm(keyFiles(place.dataDirectory).key, { force: true });
  throw wrongKey(place, keys.isNew);
}

/** The same for a CLI command, which never generates a key. */
export async function requireMatchingKey(
  storage: StorageBackend,
  keys: SecretKeys,
  place: Place,
): Promise<void> {
  if (await isSecretKey({ storage, secrets: makeSecretBox(keys), isEnvelope })) return;
  throw wrongKey(place, false);
}

export function wrongKey({ dataDirectory, secretKey }: Place, isMissing: boolean): ConfigurationError {
  const { key } = keyFiles(dataDirectory);
  const found = isMissing
    ? `There is no secret key in ${key}, but the secrets of this database are encrypted with one`
    : `The secret key in ${secretKey === undefined ? key : 'SECRET_KEY'} does not match this database`;
  return new ConfigurationError(
    `${found}. Restore the right key, as SECRET_KEY or in the file ${key}. If it is lost, run ` +
      '"holdfast secrets forget", which lists the secrets encrypted with it and deletes them.',
  );
}
