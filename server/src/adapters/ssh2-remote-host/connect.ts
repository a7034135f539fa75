import type { Duplex } from 'node:stream';
import { type RemoteAccount, RemoteHostError, type RemoteOptions, say } from '@holdfast/core/server';
import { openConnection } from './connection.js';

const step = 'connect to a socket';

/** A channel to a socket of the host, over a connection of its own. */
export async function connect(
  account: RemoteAccount,
  address: string,
  { signal }: RemoteOptions = {},
): Promise<Duplex> {
  const connection = await openConnection(account, { signal, longLived: true });
  const { client, lost, close } = connection;
  const opened = new Promise<Duplex>((resolve, reject) => {
    const done = (error: Error | undefined, channel: Duplex) => {
      if (error) reject(notConnected(account, address, error));
      else resolve(channel.on('close', close));
    };
    const colon = address.lastIndexOf(':');
    if (address.startsWith('/')) client.openssh_forwardOutStreamLocal(address, done);
    else client.forwardOut('127.0.0.1', 0, address.slice(0, colon), Number(address.slice(colon + 1)), done);
  });
  try {
    const channel = await Promise.race([opened, lost]);
    lost.catch((error: Error) => channel.destroy(error));
    return channel;
  } catch (error) {
    close();
    throw error;
  }
}

const notConnected = ({ host, username }: RemoteAccount, address: string, cause: Error) =>
  new RemoteHostError(
    'refused',
    say`host_socket_refused: ${{ username }} can't connect to ${{ address }} on ${{ host }}: it must be running, the user must be allowed to use it, and sshd_config must allow it (AllowStreamLocalForwarding, AllowTcpForwarding).`,
    { step, cause },
  );
