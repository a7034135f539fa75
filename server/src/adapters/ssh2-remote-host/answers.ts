import { connect } from 'node:net';
import type { RemoteHost } from '@holdfast/core/server';

const patienceMs = 5_000;

/** Until its first bytes: a host that accepts connections may be about to die. */
export const answers: RemoteHost['answers'] = (address) =>
  new Promise((resolve) => {
    const socket = connect(address);
    const end = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(patienceMs, end(false));
    socket.once('error', end(false)).once('close', end(false));
    socket.once('data', (start) => end(start.toString('latin1').startsWith('SSH-'))());
  });
