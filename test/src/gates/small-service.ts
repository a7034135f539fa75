import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SmallAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a text. */
  body?: unknown;
}

export interface SmallService {
  base: string;
  end(): Promise<void>;
}

/** What a gate is tried on: a service of a few lines that is wrong in one way. `null` breaks the connection off. */
export async function startSmallService(
  answer: (req: IncomingMessage, body: string) => SmallAnswer | null | Promise<SmallAnswer | null>,
): Promise<SmallService> {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    send(res, await answer(req, Buffer.concat(chunks).toString()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async end() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function send(res: ServerResponse, answer: SmallAnswer | null): void {
  if (answer === null) {
    res.destroy();
    return;
  }
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
  res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(text);
}
