import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../config.js';

/**
 * Where each plugin that a command loads gets a folder of its own: in the data folder only where that is this user's,
 * for a folder that another user made would lock the service out. Else in one that `close` removes.
 */
export async function folderForPlugins({
  dataDirectory,
}: Configuration): Promise<{ dataDirectory: string; close(): Promise<void> }> {
  const owner = (await stat(dataDirectory).catch(() => null))?.uid;
  if (owner !== undefined && owner === process.getuid?.()) return { dataDirectory, close: async () => {} };
  const lent = await mkdtemp(join(tmpdir(), 'holdfast-'));
  // What was installed there is looked for all the same.
  if (owner !== undefined) await symlink(join(dataDirectory, 'plugins'), join(lent, 'plugins'));
  return { dataDirectory: lent, close: () => rm(lent, { recursive: true, force: true }) };
}
