import type { ClientChannel } from 'ssh2';
import type { Connection } from './connection.js';
import { noCommands, reason } from './failures.js';

export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A command that was started. */
export interface Started {
  channel: ClientChannel;
  /** Settles when the channel closed; null when the host did not tell how the command ended. */
  ended: Promise<Exit | null>;
}

/** Rejects with RemoteHostError when the host runs no commands. */
export const startCommand = (
  { client }: Connection,
  { step, line }: { step: string; line: string },
): Promise<Started> =>
  new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => {
      if (error) reject(noCommands(step, reason(error)));
      // At once: a short command may have ended within the same packet.
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
