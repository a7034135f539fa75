import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../sign-in/network-of.js';

/** The part of all connections that one network may have, so that others always find some. */
const share = 0.9;

/**
 * Limits the connections. Of too many, the one of the largest network ends that has had no request for longest: one
 * that says nothing never keeps out one that does. A new one is rejected only if all others of its network are busy.
 */
export function shareConnections(server: Server, most: number, onFull: () => void): void {
  const networks = new Map<string, Set<Socket>>();
  /** Without a request, longest first. */
  const silent = new Map<string, Set<Socket>>();
  const largest = () => {
    const [first = ''] = [...networks].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    return first;
  };
  const total = () => [...networks.values()].reduce((sum, { size }) => sum + size, 0);
  const end = (network: string, added: Socket) => {
    const [oldest = added] = silent.get(network) ?? [];
    remove(silent, network, oldest);
    oldest.destroy();
    onFull();
  };
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? 'unknown');
    add(networks, network, socket);
    add(silent, network, socket);
    socket.once('close', () => {
      remove(networks, network, socket);
      remove(silent, network, socket);
    });
    if ((networks.get(network)?.size ?? 0) > Math.ceil(most * share)) end(network, socket);
    else if (total() > most) end(largest(), socket);
  });
  server.prependListener('request', ({ socket }, res) => {
    const network = networkOf(socket.remoteAddress ?? 'unknown');
    remove(silent, network, socket);
    res.once('close', () => !socket.destroyed && add(silent, network, socket));
  });
}

function add(sets: Map<string, Set<Socket>>, key: string, socket: Socket): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(socket));
}

function remove(sets: Map<string, Set<Socket>>, key: string, socket: Socket): void {
  const set = sets.get(key);
  set?.delete(socket);
  if (set?.size === 0) sets.delete(key);
}
