import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { isRemote } from '../location.js';
import { refuseOther } from './other-repository.js';

const keyInside = /^(repokey|authenticated)/;

/**
 * DriverError `other_repository` when the own file of a local repository says that it is another one. What that file
 * doesn't say, the tool compares with what it noted of this repository when it opens the manifest.
 */
export async function checkLocalIdentity(target: RepositoryTarget): Promise<void> {
  const { location, expected } = target;
  if (!expected || isRemote(location)) return;
  const config = await readFile(join(location, 'config'), 'utf8').catch(() => '');
  const id = /^id\s*=\s*([0-9a-f]{64})\s*$/m.exec(config)?.[1];
  if (id === undefined) return; // The tool says what is wrong with it.
  const lacksKey = keyInside.test(expected.encryption) && !/^key\s*=\s*\S/m.test(config);
  refuseOther(target, { id, ...(lacksKey && { encryption: 'none, or with its key elsewhere' }) });
}
