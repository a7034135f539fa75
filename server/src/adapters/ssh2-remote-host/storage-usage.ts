import { isRemoteHostError, type RemoteStorageUsage } from '@holdfast/core/server';
import type { Connection } from './connection.js';
import { execute } from './execute.js';
import { parseDf } from './parse-df.js';
import { quote } from './quote.js';

const step = 'read the usage of the storage';

/** Restricted shells may know no variables before a command, or not every option. */
const commands = ['LC_ALL=C df -P -k', 'df -P -k', 'df -k'];

/** Null when none of the commands gives an answer. */
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
