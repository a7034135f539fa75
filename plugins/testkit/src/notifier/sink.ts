import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

type Socket = IncomingMessage['socket'];

/** A complete request that a sink received. */
export interface SinkRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** What a sink does with a request once it has received it. */
export type SinkAnswer = (response: ServerResponse, request: SinkRequest) => void;

export const replyWith =
  (code: number, text = ''): SinkAnswer =>
  (response) =>
    void response.writeHead(code, { 'content-type': 'text/plain' }).end(text);

/** An HTTP server on a free port of 127.0.0.1 that stores the requests it gets and can misbehave as wanted. */
export class Sink {
  readonly requests: SinkRequest[] = [];
  /** Answers 200 until it is replaced. */
  answer: SinkAnswer = replyWith(200);
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  #server: Server | null = null;
  #port = 0;

  static async open(): Promise<Sink> {
    const sink = new Sink();
    // Below the ports of outgoing connections, which could take it while the sink is closed. `fetch` refuses 10080.
    do sink.#port = randomInt(11_000, 32_768);
    while (!(await sink.#listens()));
    return sink;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Resolves when it has received `count` requests; rejects after `timeoutMs`. */
  taken(count: number, timeoutMs = 10_000): Promise<SinkRequest[]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.requests.length < count) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(this.requests);
      };
      const late = () => {
        this.#waiting.delete(look);
        reject(new Error(`${this.requests.length} of ${count} requests arrived within ${timeoutMs} ms`));
      };
      const timer = setTimeout(late, timeoutMs);
      this.#waiting.add(look);
      look();
    });
  }

  /** Closes the server: connections end, and new ones are refused. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Opens the server again on its port, and waits while another program uses that. */
  async reopen(): Promise<void> {
    for (let tries = 0; !(await this.#listens()); tries += 1) {
      if (tries === 50) throw new Error(`Another program uses port ${this.#port}.`);
      await pause(200);
    }
  }

  /** False if the port is in use. */
  async #listens(): Promise<boolean> {
    const server = createServer((request, response) => void this.#take(request, response));
    server.on('connection', (socket: Socket) => this.#keep(socket));
    server.listen(this.#port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
    this.#server = server;
    return true;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const headers = incoming.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString('utf8');
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers,
      body,
      at: Date.now(),
    };
    this.requests.push(request);
    for (const look of [...this.#waiting]) look();
    this.answer(response, request);
  }
}
