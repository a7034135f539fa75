import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Lighthouse's "slow 4G": 150 ms there and back, 1.6 Mbit/s down. Uploads are small here. */
const roundTripMs = 150;
const bytesPerMs = 1_600_000 / 8 / 1000;

/**
 * Carries connections to `port` over a slow line. It slows down everything, also what a worker of the page asks for,
 * which the tools of a browser leave alone.
 */
export async function slowNetwork(port) {
  /** When the line is free again, in the time of `performance.now()`. */
  let free = 0;
  const server = createServer(async (near) => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
    // The handshake is a round trip of its own.
    const opened = performance.now() + roundTripMs;
    near.on('data', (piece) => far.write(piece));
    let last = Promise.resolve();
    const deliver = (act, bytes) => {
      free = Math.max(free, performance.now()) + bytes / bytesPerMs;
      const due = Math.max(free, opened) + roundTripMs;
      last = Promise.all([last, new Promise((resolve) => setTimeout(resolve, due - performance.now()))]).then(
        act,
      );
    };
    far.on('data', (piece) => deliver(() => near.writable && near.write(piece), piece.length));
    far.on('end', () => deliver(() => near.end(), 0));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
