import { join } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';
import { cacheBesideWriter, limitCaches } from './cache-limit.js';
import { makeOwnFolder } from './own-folder.js';

/** The folder for the tool's caches and its records of one repository. `uid` must not be a path. */
export function baseFolder(dataFolder: string, uid: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(uid))
    throw new DriverError('usage', 'The uid of the repository is not a plain word.');
  return join(dataFolder, uid);
}

export interface EnvironmentOptions {
  base: string;
  /** Home of a confined run, used instead of `base`. */
  home?: string | undefined;
  /**
   * Reads beside a writer: it must not wait for the writer's cache, nor fail because the writer records a newer
   * manifest than the one just read.
   */
  besideWriter: boolean;
  keyFile: string | null;
  /** Encoding of the tool's output. The default, UTF-8, loses names that are not UTF-8. */
  encoding?: 'unicode_escape';
  /** The repository may be unencrypted. */
  unencrypted: boolean;
  /** The identity under which the tool holds locks; null for its default, which it derives from this machine. */
  lockIdentity: string | null;
  /** How the tool reaches a remote host; null for a local repository. */
  remoteShell?: string | null;
}

/**
 * The whole environment of the tool. It inherits nothing from this process: no secret, locale or borg setting. A
 * repository that was moved is accepted; an unencrypted one only where expected.
 */
export async function makeEnvironment(options: EnvironmentOptions): Promise<NodeJS.ProcessEnv> {
  const { base, home = base } = options;
  await makeOwnFolder(base);
  const withoutIndexes = await limitCaches(base).catch(() => false);
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    HOME: home,
    BORG_BASE_DIR: home,
    ...(home === base ? {} : { TMPDIR: home }),
    BORG_PASSPHRASE_FD: '3',
    BORG_DISPLAY_PASSPHRASE: 'no',
    // Nothing is mounted, and loading a FUSE library would take a fifth of the time of a short command.
    BORG_FUSE_IMPL: 'none',
    BORG_EXIT_CODES: 'modern',
    BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: options.unencrypted ? 'yes' : 'no',
    BORG_CHECK_I_KNOW_WHAT_I_AM_DOING: 'YES',
    ...(withoutIndexes ? { BORG_USE_CHUNKS_ARCHIVE: 'no' } : {}),
    ...(options.besideWriter && home === base ? foldersBesideWriter(base) : {}),
    ...(options.lockIdentity === null ? {} : { BORG_HOST_ID: options.lockIdentity }),
    ...(options.keyFile === null ? {} : { BORG_KEY_FILE: options.keyFile }),
    ...(options.remoteShell ? { BORG_RSH: options.remoteShell } : {}),
    ...(options.encoding === undefined ? {} : { PYTHONIOENCODING: options.encoding }),
  };
}

const foldersBesideWriter = (base: string) => ({
  BORG_CACHE_DIR: join(base, cacheBesideWriter),
  BORG_SECURITY_DIR: join(base, 'security-beside-writer'),
});
