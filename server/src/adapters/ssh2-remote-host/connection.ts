import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  hostKeyFingerprint,
  isRemoteHostError,
  type RemoteAccount,
  type RemoteHostError,
  type SeenHostKey,
} from '@holdfast/core/server';
import { keepWithin, type SpeedLimit } from '@holdfast/plugin-api/driver';
import pTimeout from 'p-timeout';
import type { Client, ServerHostKeyAlgorithm } from 'ssh2';
import { ssh2 } from '../ssh2.js';
import { atJump, broken, cancelled, notForwarded, silent } from './failures.js';
import { hostKeyAlgorithms } from './host-key.js';
import { connectMs, silenceMs } from './limits.js';
import { openSocket } from './open-socket.js';
import { signIn } from './sign-in.js';

export interface Connection {
  client: Client;
  account: RemoteAccount;
  seen: SeenHostKey;
  /** Rejects with RemoteHostError if the connection ends before `close`. */
  lost: Promise<never>;
  close(): void;
}

export interface ConnectOptions {
  signal?: AbortSignal | undefined;
  /** For work without output for long periods: sends keep-alives instead of using an idle timeout. */
  longLived?: boolean;
}

/** Opens one connection and signs in. Rejects with RemoteHostError. */
export async function openConnection(
  account: RemoteAccount,
  options: ConnectOptions = {},
): Promise<Connection> {
  let first: RemoteHostError | undefined;
  for (const algorithms of hostKeyAlgorithms(account)) {
    try {
      return await tryConnection(account, { ...options, algorithms });
    } catch (error) {
      if (!isRemoteHostError(error)) throw error;
      // The host lacks a key of the expected type.
      const otherKey =
        error.kind === 'host_key_changed' || (first !== undefined && error.kind === 'protocol');
      if (!otherKey) throw error;
      first ??= error;
    }
  }
  throw first;
}

interface Attempt extends ConnectOptions {
  algorithms: ServerHostKeyAlgorithm[];
}

async function tryConnection(account: RemoteAccount, attempt: Attempt): Promise<Connection> {
  const { socket, leave } = await openWay(account, attempt.signal);
  const client = new (ssh2().Client)();
  const lost = watch({ client, socket, account, signal: attempt.signal });
  const close = () => {
    client.end();
    leave();
  };
  try {
    const { algorithms, longLived = false } = attempt;
    const entry = signIn({ client, socket, account, algorithms, longLived });
    const hostKey = await Promise.race([entry, lost.promise]);
    lost.signedIn(longLived);
    if (socket instanceof Socket && account.speed) limitSocket(socket, account.speed);
    const seen = { hostKey, fingerprint: hostKeyFingerprint(hostKey) };
    return { client, account, seen, lost: lost.promise, close };
  } catch (error) {
    client.destroy();
    socket.destroy();
    leave();
    throw error;
  }
}

interface Way {
  socket: Duplex;
  /** Ends it once everything is sent. */
  leave(): void;
}

/** A socket, or a channel through the jump host, whose own connection notices silence. */
async function openWay(account: RemoteAccount, signal: AbortSignal | undefined): Promise<Way> {
  if (!account.jump) {
    const socket = await openSocket(account, signal);
    return { socket, leave: () => socket.destroySoon() };
  }
  const behind = { ...account.jump, speed: account.speed };
  const jump = await openConnection(behind, { signal, longLived: true }).catch((error: unknown) => {
    throw atJump(error);
  });
  try {
    const opened = Promise.race([forward(jump, account), jump.lost]);
    const socket = await pTimeout(opened, { milliseconds: connectMs, message: silent(account, 'connect') });
    socket.on('close', jump.close);
    return { socket, leave: () => socket.end() };
  } catch (error) {
    jump.close();
    throw error;
  }
}

function limitSocket(socket: Socket, speed: SpeedLimit): void {
  const end = keepWithin(speed, {
    bytes: () => socket.bytesRead + socket.bytesWritten,
    hold: (isHeld) => {
      if (isHeld === socket.isPaused()) return;
      if (isHeld) socket.pause().cork();
      else socket.resume().uncork();
    },
  });
  socket.once('close', end);
}

const forward = ({ client, account: jump }: Connection, account: RemoteAccount): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, account.host, account.port, (error, channel) => {
      if (error) reject(notForwarded(account, jump, error));
      else resolve(channel);
    });
  });

interface Watched {
  client: Client;
  socket: Duplex;
  account: RemoteAccount;
  signal: AbortSignal | undefined;
}

/** Combines everything that ends a connection into one promise. */
function watch({ client, socket, account, signal }: Watched) {
  let signedIn = false;
  let step = 'handshake';
  let reject: (error: RemoteHostError) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  promise.catch(() => undefined);
  const abort = () => end(cancelled(step));
  const end = (error: RemoteHostError) => {
    signal?.removeEventListener('abort', abort);
    reject(error);
    socket.destroy();
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  // Before that, `signIn` reports errors in more detail.
  client.on('error', (error) => signedIn && end(broken(account, step, error)));
  client.on('close', () => end(broken(account, step)));
  const plain = socket instanceof Socket ? socket : null;
  plain?.setTimeout(silenceMs, () => end(silent(account, step)));
  return {
    promise,
    signedIn(longLived: boolean) {
      signedIn = true;
      step = 'work on the host';
      if (longLived) plain?.setTimeout(0);
    },
  };
}
