import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../config.js';

/** While this folder is there, everything else in the data folder comes from a recovery that has not ended. */
export const recoveryFolder = '.recovery';

/** ConfigurationError on half of an installation. */
export async function refuseHalfRecovered(dataDirectory: string): Promise<void> {
  const isThere = await stat(join(dataDirectory, recoveryFolder)).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw new ConfigurationError(
    `A recovery into ${dataDirectory} was interrupted, so its data may be incomplete. Run "holdfast recover" again ` +
      'with the same options: it replaces what is there.',
  );
}
