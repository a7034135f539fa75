import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DriverError } from '@holdfast/plugin-api/driver';
import { archiveInfo, compact, deleteArchives, listArchives, listEntries, readFile } from './archives.js';
import { checkCustomFlags, createArchive } from './create-archive.js';
import { lockHolderOf } from './lock-holder.js';
import { endProcess } from './process-identity.js';
import { init, open, openFolder } from './repository.js';

/**
 * Optional operations that are missing here are not offered: pulling from other hosts, checks, extraction of whole
 * trees.
 * @returns {import('@holdfast/plugin-api/driver').BackupDriver}
 */
export const makeTarDriver = () => ({
  version,
  checkCustomFlags,
  init,
  open,
  createArchive,
  compact,
  endProcess,
  listArchives,
  archiveInfo,
  listEntries,
  readFile,
  deleteArchives,
  lockHolder: async (target) => lockHolderOf(await openFolder(target)),
  // The kernel releases a lock when its holder ends, however that happens: no lock is ever stale.
  breakLock: async (target) => {
    await openFolder(target);
    return { value: null, warnings: [] };
  },
  exportKey: noKeys,
  importKey: noKeys,
  forget: async () => {},
});

/** @returns {Promise<never>} */
async function noKeys() {
  throw new DriverError('usage', 'tar does not encrypt, so there is no key.');
}

const run = promisify(execFile);

async function version() {
  const { stdout } = await run('tar', ['--version']).catch(() => ({ stdout: '' }));
  const [line = ''] = stdout.split('\n');
  const [, number] = /GNU tar\) ([\d.]+)/.exec(line) ?? [];
  if (!number) throw new DriverError('tool_missing', 'GNU tar was not found. Install it.');
  await run('flock', ['--version']).catch(() => {
    throw new DriverError('tool_missing', 'flock was not found. Install util-linux.');
  });
  return { name: 'tar', version: number, line: `tar ${number}` };
}
