import { isRemoteHostError, RemoteHostError } from '@holdfast/core/server';
import type { Connection } from './connection.js';
import { deployStep, type KeyFile } from './key-file.js';
import { openSftp, type Sftp } from './sftp.js';

const folder = '.ssh';
const path = '.ssh/authorized_keys';
const othersMayWrite = 0o022;

/** Over SFTP, where relative paths start in the home directory. */
export async function sftpKeyFile(connection: Connection): Promise<KeyFile> {
  const sftp = await openSftp(connection, deployStep);
  return {
    read: async () => (await sftp.read(path))?.toString() ?? null,
    append: (text) => append(sftp, Buffer.from(text)),
    cut: (text) => cut(sftp, Buffer.from(text)),
    async tighten() {
      for (const [each, mode] of [
        [folder, 0o700],
        [path, 0o600],
      ] as const) {
        const found = await sftp.stat(each);
        if (found && (found.mode & othersMayWrite) !== 0) await sftp.chmod(each, mode);
      }
    },
  };
}

async function append(sftp: Sftp, data: Buffer): Promise<void> {
  const createdFolder = await makeFolder(sftp);
  const before = await sftp.stat(path);
  try {
    await sftp.append(path, { data, at: before?.size ?? 0 });
  } catch (error) {
    const full = isRemoteHostError(error, 'failed') && (await sftp.isDiskFull(folder));
    const undo = before ? sftp.truncate(path, before.size) : sftp.remove(path);
    await undo.catch(() => undefined);
    if (createdFolder) await sftp.removeDirectory(folder).catch(() => undefined);
    throw full ? diskFull(error) : error;
  }
}

/** False if it is there, even if another deployment created it meanwhile. */
async function makeFolder(sftp: Sftp): Promise<boolean> {
  if (await sftp.stat(folder)) return false;
  try {
    await sftp.makeDirectory(folder);
    return true;
  } catch (error) {
    if (await sftp.stat(folder)) return false;
    throw error;
  }
}

async function cut(sftp: Sftp, end: Buffer): Promise<void> {
  const content = await sftp.read(path);
  if (!content?.subarray(-end.length).equals(end)) return;
  if (content.length === end.length) await sftp.remove(path);
  else await sftp.truncate(path, content.length - end.length);
}

const diskFull = (cause: unknown) =>
  new RemoteHostError('disk_full', `The disk of the host is full (step: ${deployStep}).`, {
    step: deployStep,
    cause,
  });
