import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface OddHost {
  host: string;
  port: number;
  /** How many connections came. */
  connections(): number;
  close(): Promise<void>;
}

/** Accepts every connection and never says a word. */
export const silentHost = (): Promise<OddHost> => oddHost(() => {});

/** Answers every connection with words that are not of SSH, and keeps it open. */
export const babblingHost = (): Promise<OddHost> =>
  oddHost((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\nThis is no SSH.\r\n'));

/** Ends every connection at once. */
export const hangingUpHost = (): Promise<OddHost> => oddHost((socket) => socket.destroy());

async function oddHost(meet: (socket: Socket) => void): Promise<OddHost> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    meet(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { host: '127.0.0.1', port, connections: () => count, close };
}
