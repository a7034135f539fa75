import { type RemoteEntry, RemoteHostError } from '@holdfast/core/server';
import type { Connection } from './connection.js';
import { toEntry } from './entries.js';
import { openSftp } from './sftp.js';

const step = 'list the folder';

export async function listBySftp(connection: Connection, path: string): Promise<RemoteEntry[]> {
  const sftp = await openSftp(connection, step);
  const found = await sftp.stat(path);
  if (!found?.isDirectory()) throw noFolder(path);
  const entries = await sftp.list(path);
  return entries
    .filter(({ filename }) => filename !== '.' && filename !== '..')
    .map(({ filename, attrs: { mode, size, mtime } }) => toEntry(filename, { mode, size, mtime }));
}

export const noFolder = (path: string) =>
  new RemoteHostError('missing', `There is no folder ${path} on the host.`, { step });
