import { PassThrough } from 'node:stream';
import type { RemoteAccount, RemoteOptions, RemoteProcess } from '@holdfast/core/server';
import type { ClientChannel } from 'ssh2';
import { type Connection, openConnection } from './connection.js';
import { broken } from './failures.js';
import { commandLine } from './quote.js';
import { type Exit, startCommand } from './start-command.js';

const step = 'run a command';

/** One connection for one command; it ends with it. */
export async function run(
  account: RemoteAccount,
  command: readonly string[],
  { signal }: RemoteOptions = {},
): Promise<RemoteProcess> {
  const connection = await openConnection(account, { signal, longLived: true });
  try {
    const { channel, ended } = await Promise.race([
      startCommand(connection, { step, line: commandLine(command) }),
      connection.lost,
    ]);
    const exit = exitOf(connection, ended);
    return { stdin: channel, stdout: outputOf(channel), stderr: channel.stderr, exit };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A stream of its own: a reader that is done destroys it, which would close the channel before it told the exit. */
function outputOf(channel: ClientChannel): PassThrough {
  const stdout = new PassThrough();
  channel.on('close', () => stdout.end());
  return channel.pipe(stdout);
}

/** A connection that breaks ends the streams as a command does: only this tells the difference. */
function exitOf(connection: Connection, ended: Promise<Exit | null>): RemoteProcess['exit'] {
  const told = ended.then((exit) => exit ?? Promise.reject(broken(connection.account, step)));
  const exit = Promise.race([told, connection.lost]).finally(connection.close);
  exit.catch(() => undefined);
  return exit;
}
