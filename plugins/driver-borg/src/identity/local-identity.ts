import { join } from 'node:path';
import { DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { isSilent, readStart } from '@holdfast/plugin-api/files';
import { isRemote } from '../location.js';
import { rejectOther } from './other-repository.js';

/** A key in it has some hundred characters. */
const mostOfConfig = 1 << 18;
const keyInside = /^(repokey|authenticated)/;

const idIn = (config: string) => /^id\s*=\s*([0-9a-f]{64})\s*$/m.exec(config)?.[1];

/** Null if its config does not say it. */
export const localId = async (location: string): Promise<string | null> =>
  idIn(await readConfig(location)) ?? null;

/**
 * Throws DriverError `other_repository` if the config of a local repository shows that it is another one. When the
 * tool opens the manifest, it compares the rest with its records of this repository.
 */
export async function checkLocalIdentity(target: RepositoryTarget): Promise<void> {
  const { location, expected } = target;
  if (isRemote(location)) return;
  const config = await readConfig(location);
  if (!expected) return;
  const id = idIn(config);
  if (id === undefined) return; // The tool reports what is wrong.
  const lacksKey = keyInside.test(expected.encryption) && !/^key\s*=\s*\S/m.test(config);
  rejectOther(target, { id, ...(lacksKey && { encryption: 'none, or key stored elsewhere' }) });
}

/** Empty where there is none. Rejects when the file system does not answer, or something else has its name. */
export async function readConfig(location: string): Promise<string> {
  const options = { links: true, rejectLonger: true };
  const read = readStart(join(location, 'config'), mostOfConfig, options).then(String);
  return read.catch((error: NodeJS.ErrnoException) => {
    if (isSilent(error)) throw error;
    if (error.code === 'EFTYPE' || error.code === 'EFBIG')
      throw new DriverError('not_a_repository', `The config file at ${location} is not from Borg.`);
    return '';
  });
}
