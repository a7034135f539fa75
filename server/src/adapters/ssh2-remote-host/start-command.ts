import type { ClientChannel } from 'ssh2';
import type { Connection } from './connection.js';
import { noCommands, reason } from './failures.js';

export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A running command. */
export interface Started {
  channel: ClientChannel;
  /** Settles when the channel is closed; null if the host did not report how the command ended. */
  ended: Promise<Exit | null>;
}

/** Rejects with RemoteHostError if the host does not run commands. */
export const startCommand = (
  { client }: Connection,
  { step, line }: { step: string; line: string },
): Promise<Started> =>
  new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => {
      if (error) reject(noCommands(step, reason(error)));
      // Subscribe immediately: a short command may end in the same packet.
      else resolve({ channel, ended: endOf(channel) });
    });
  });

function endOf(channel: ClientChannel): Promise<Exit | null> {
  let exit: Exit | null = null;
  channel.on('error', () => undefined);
  channel.on('exit', (code: number | null, signal?: string) => {
    exit = { code, signal: signal ?? null };
  });
  return new Promise((resolve) => channel.on('close', () => resolve(exit)));
}
