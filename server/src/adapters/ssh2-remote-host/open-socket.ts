import { connect, type Socket } from 'node:net';
import type { RemoteAccount, RemoteHostError } from '@holdfast/core/server';
import { cancelled, silent, socketFailure } from './failures.js';
import { connectMs } from './limits.js';

/** Opens a TCP connection with a timeout. Rejects with RemoteHostError. */
export function openSocket(account: RemoteAccount, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled('connect'));
    const socket = connect({ host: account.host, port: account.port, noDelay: true });
    const fail = (error: RemoteHostError) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(silent(account, 'connect')), connectMs);
    const abort = () => fail(cancelled('connect'));
    signal?.addEventListener('abort', abort, { once: true });
    const onError = (error: NodeJS.ErrnoException) => fail(socketFailure(account, error));
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      socket.off('error', onError);
      resolve(socket);
    });
  });
}
