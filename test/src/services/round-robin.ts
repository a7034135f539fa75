import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One port before several servers: each connection goes to the next one that takes it. */
export class RoundRobin {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #turn = 0;

  private constructor(private readonly ports: () => number[]) {
    this.#server = createServer((client) => this.#serve(client));
  }

  static async open(ports: () => number[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(ports);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    this.#keep(client);
    this.#turn += 1;
    const ports = this.ports();
    const first = this.#turn % ports.length;
    this.#connect(client, [...ports.slice(first), ...ports.slice(0, first)]);
  }

  #connect(client: Socket, [port, ...others]: number[]): void {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    this.#keep(server);
    let reached = false;
    server.on('connect', () => {
      reached = true;
      client.pipe(server).pipe(client);
    });
    server.on('error', () => {
      if (reached) client.destroy();
      else this.#connect(client, others);
    });
    client.on('close', () => server.destroy());
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    // What one side breaks off ends for the other.
    socket.on('error', () => socket.destroy()).on('close', () => this.#open.delete(socket));
  }
}
