import { userInfo } from 'node:os';
import { unreadableSources } from '@holdfast/core/server';
import type { Finding, StorageBackend } from '@holdfast/plugin-api';
import { localFiles } from '../../adapters/local-files.js';
import { ok, warning } from './check.js';
import type { ServiceUser } from './find-service.js';

/**
 * Whether the service can read its sources. Checks as the service user if run by root, otherwise as this
 * user.
 */
export async function readableSources(storage: StorageBackend, user: ServiceUser | null): Promise<Finding[]> {
  const look = () => unreadableSources({ storage, files: localFiles });
  const other = user && process.getuid?.() === 0 && !user.readsEverything && user.uid !== 0 ? user : null;
  const denied = other ? await asUser(other, look) : await look();
  const who = other ? `The service user (id ${other.uid})` : `This user (${userInfo().username})`;
  if (denied.length === 0) return [ok(`${who} can read all source directories on this server.`)];
  return denied.map(({ repository, path }) =>
    warning(
      `${who} can't read ${path} of repository ${repository}; backups would not include it.`,
      'Allow the service user to read it.',
    ),
  );
}

/** Open files, such as the database, stay usable. No other work runs at the same time. */
async function asUser<T>({ uid, gid, groups: theirs }: ServiceUser, work: () => Promise<T>): Promise<T> {
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.(theirs);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}
