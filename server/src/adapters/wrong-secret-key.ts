import { rm } from 'node:fs/promises';
import { claimSecretKey, isSecretKey } from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { type Configuration, ConfigurationError } from '../config.js';
import { isEnvelope, makeSecretBox } from './secret-box.js';
import { keyFiles, type SecretKeys } from './secret-key.js';

type Place = Pick<Configuration, 'dataDirectory' | 'secretKey'>;

/** ConfigurationError unless the key is the one of this storage. A key that was made now does not stay then. */
export async function refuseWrongKey(
  storage: StorageBackend,
  { keys, place }: { keys: SecretKeys; place: Place },
): Promise<void> {
  if (await claimSecretKey({ storage, secrets: makeSecretBox(keys), isEnvelope })) return;
  if (keys.isNew) await rm(keyFiles(place.dataDirectory).key, { force: true });
  throw wrongKey(place, keys.isNew);
}

/** The same for a command, which makes no key. */
export async function refuseOtherKey(storage: StorageBackend, keys: SecretKeys, place: Place): Promise<void> {
  if (await isSecretKey({ storage, secrets: makeSecretBox(keys), isEnvelope })) return;
  throw wrongKey(place, false);
}

export function wrongKey({ dataDirectory, secretKey }: Place, isMissing: boolean): ConfigurationError {
  const { key } = keyFiles(dataDirectory);
  const found = isMissing
    ? `There is no secret key in ${key}, and the secrets of this database are sealed under one`
    : `The secret key in ${secretKey === undefined ? key : 'SECRET_KEY'} is not the one of this database`;
  return new ConfigurationError(
    `${found}: put that one back, as SECRET_KEY or in the file ${key}, or go on without it by ` +
      '"holdfast secrets forget", which names what was sealed under it and forgets that.',
  );
}
