import { hostname } from 'node:os';
import { auditCommand, type SecretBox } from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { makeSecretBox } from '../adapters/secret-box.js';
import { findSecretKeys, keyFiles, readKey } from '../adapters/secret-key.js';
import { systemClock } from '../adapters/system-clock.js';
import { requireMatchingKey } from '../adapters/wrong-secret-key.js';
import type { Configuration } from '../config.js';
import { CommandError } from './exit.js';

/**
 * The secrets of the installation. CommandError if there is no secret key (a command never creates one),
 * ConfigurationError if it is not the key of this storage.
 */
export async function secretsOf(
  storage: StorageBackend,
  place: Pick<Configuration, 'dataDirectory' | 'secretKey'>,
): Promise<SecretBox> {
  const { dataDirectory, secretKey } = place;
  const { key } = keyFiles(dataDirectory);
  if (secretKey === undefined && (await readKey(key)) === null) {
    throw new CommandError(
      `There is no secret key in ${key}. Set DATA_DIR or SECRET_KEY to the values that Holdfast runs with.`,
    );
  }
  const keys = await findSecretKeys(dataDirectory, secretKey);
  await requireMatchingKey(storage, keys, place);
  return makeSecretBox(keys);
}

/** Records a CLI command in the audit trail. */
export const noteCommand = (
  { storage, secrets }: { storage: StorageBackend; secrets: SecretBox },
  action: string,
  { more = '', ...about }: { object_kind?: string; object_id?: string; more?: string } = {},
): Promise<void> =>
  auditCommand(
    { storage, secrets, clock: systemClock },
    { action, note: `By a command on ${hostname()}, user id ${process.getuid?.()}.${more}`, ...about },
  );
