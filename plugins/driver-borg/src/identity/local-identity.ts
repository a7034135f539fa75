import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { isRemote } from '../location.js';
import { rejectOther } from './other-repository.js';

const keyInside = /^(repokey|authenticated)/;

const configOf = (location: string) => readFile(join(location, 'config'), 'utf8').catch(() => '');
const idIn = (config: string) => /^id\s*=\s*([0-9a-f]{64})\s*$/m.exec(config)?.[1];

/** Null if its config does not say it. */
export const localId = async (location: string): Promise<string | null> =>
  idIn(await configOf(location)) ?? null;

/**
 * Throws DriverError `other_repository` if the config of a local repository shows that it is another one. When the
 * tool opens the manifest, it compares the rest with its records of this repository.
 */
export async function checkLocalIdentity(target: RepositoryTarget): Promise<void> {
  const { location, expected } = target;
  if (!expected || isRemote(location)) return;
  const config = await configOf(location);
  const id = idIn(config);
  if (id === undefined) return; // The tool reports what is wrong.
  const lacksKey = keyInside.test(expected.encryption) && !/^key\s*=\s*\S/m.test(config);
  rejectOther(target, { id, ...(lacksKey && { encryption: 'none, or key stored elsewhere' }) });
}
