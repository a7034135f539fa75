import { PassThrough } from 'node:stream';
import type { RemoteAccount, RemoteOptions, RemoteProcess } from '@holdfast/core/server';
import type { ClientChannel } from 'ssh2';
import { type Connection, openConnection } from './connection.js';
import { broken } from './failures.js';
import { lineFor } from './quote.js';
import { type Exit, startCommand } from './start-command.js';
import { assertRoot } from './sudo.js';

const step = 'run a command';

/** Opens a connection for one command and closes it when the command ends. */
export async function run(
  account: RemoteAccount,
  command: readonly string[],
  { signal }: RemoteOptions = {},
): Promise<RemoteProcess> {
  const connection = await openConnection(account, { signal, longLived: true });
  try {
    const start = async () => {
      if (account.sudo) await assertRoot(connection);
      return startCommand(connection, { step, line: lineFor(account, command) });
    };
    const { channel, ended } = await Promise.race([start(), connection.lost]);
    const exit = exitOf(connection, ended);
    return { stdin: channel, stdout: outputOf(channel), stderr: channel.stderr, exit };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * A separate stream: a reader may destroy it early, which would close the channel before it reports the exit.
 */
function outputOf(channel: ClientChannel): PassThrough {
  const stdout = new PassThrough();
  channel.on('close', () => stdout.end());
  return channel.pipe(stdout);
}

/** A lost connection ends the streams like a command does; only this promise shows the difference. */
function exitOf(connection: Connection, ended: Promise<Exit | null>): RemoteProcess['exit'] {
  const reported = ended.then((exit) => exit ?? Promise.reject(broken(connection.account, step)));
  const exit = Promise.race([reported, connection.lost]).finally(connection.close);
  exit.catch(() => undefined);
  return exit;
}
