import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../config.js';

/**
 * The folder for the data of plugins that a command loads. It is the data folder only if the current user
 * owns it: folders created by another user would lock out the service. Otherwise it is a temporary folder
 * that `close` removes.
 */
export async function folderForPlugins({
  dataDirectory,
}: Configuration): Promise<{ dataDirectory: string; close(): Promise<void> }> {
  const owner = (await stat(dataDirectory).catch(() => null))?.uid;
  if (owner !== undefined && owner === process.getuid?.()) return { dataDirectory, close: async () => {} };
  const temporary = await mkdtemp(join(tmpdir(), 'holdfast-'));
  // Installed plugins must still be found.
  if (owner !== undefined) await symlink(join(dataDirectory, 'plugins'), join(temporary, 'plugins'));
  // A plugin that was only created may still prepare its folder.
  const close = () => rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  return { dataDirectory: temporary, close };
}
