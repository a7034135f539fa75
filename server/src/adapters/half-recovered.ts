import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../config.js';

/** While one of these exists, the data folder contains an unfinished recovery. */
export const recoveryNames = { folder: '.recovery', state: '.recovery.json' };

/** ConfigurationError on half of an installation. */
export async function refuseHalfRecovered(dataDirectory: string): Promise<void> {
  const paths = Object.values(recoveryNames).map((name) => join(dataDirectory, name));
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  if (found.every((each) => each === null)) return;
  throw new ConfigurationError(
    `A recovery into ${dataDirectory} was interrupted, so its data may be incomplete. Run "holdfast recover" again ` +
      'with the same options: it replaces the incomplete data.',
  );
}
