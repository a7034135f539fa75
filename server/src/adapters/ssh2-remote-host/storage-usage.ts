import { isRemoteHostError, type RemoteStorageUsage } from '@holdfast/core/server';
import type { Connection } from './connection.js';
import { execute } from './execute.js';
import { parseDf } from './parse-df.js';
import { quote } from './quote.js';

const step = 'read the storage usage';

/** Restricted shells may not support variables before a command or every option. */
const commands = ['LC_ALL=C df -P -k', 'df -P -k', 'df -k'];

/** Null if none of the commands works. */
export async function storageUsage(connection: Connection, path: string): Promise<RemoteStorageUsage | null> {
  for (const command of commands) {
    try {
      const { code, stdout } = await execute(connection, { step, line: `${command} ${quote(path)}` });
      const usage = code === 0 ? parseDf(stdout.toString()) : null;
      if (usage) return usage;
    } catch (error) {
      if (!isRemoteHostError(error, 'refused') && !isRemoteHostError(error, 'failed')) throw error;
    }
  }
  return null;
}
