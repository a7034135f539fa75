import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { shareConnections } from '../src/http/middleware/connection-shares.js';

class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A server for ten connections, of which one network may have nine. */
function serve() {
  const server = new EventEmitter();
  let full = 0;
  shareConnections(server as unknown as Server, 10, () => {
    full += 1;
  });
  const connect = (address: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      return socket;
    });
  const ask = (socket: FakeSocket | undefined) => {
    const answer = new EventEmitter();
    server.emit('request', { socket }, answer);
    return () => answer.emit('close');
  };
  const states = (sockets: FakeSocket[]) => sockets.map(({ destroyed }) => destroyed).join();
  return { connect, ask, states, timesFull: () => full };
}

test('closes the longest idle connection of a network above its share', () => {
  const { connect, states, ask, timesFull } = serve();
  const [busy, ...silent] = connect('10.0.0.1', 9);
  const answered = ask(busy);
  expect(timesFull()).toBe(0);
  connect('10.0.0.1');
  expect([busy?.destroyed, states(silent.slice(0, 2))]).toEqual([false, 'true,false']);
  answered();
  connect('10.0.0.1', 9);
  expect([busy?.destroyed, states(silent)]).toEqual([true, Array(8).fill(true).join()]);
});

test('ends one of the largest network when another network connects', () => {
  const { connect, states } = serve();
  const many = connect('10.0.0.1', 9);
  const others = connect('10.0.0.2', 3);
  expect([states(many.slice(0, 3)), states(others)]).toEqual(['true,true,false', 'false,false,false']);
});

test('rejects a new connection when all others of its network are busy', () => {
  const { connect, ask, states } = serve();
  const busy = connect('10.0.0.1', 9);
  for (const socket of busy) ask(socket);
  expect(states(connect('10.0.0.1'))).toBe('true');
  expect(states(busy)).not.toContain('true');
  expect(states(connect('10.0.0.2'))).toBe('false');
});
