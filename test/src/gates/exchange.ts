import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A request as it goes over the wire: no library makes its address or its headers tidy. */
export interface WireRequest {
  method: string;
  /** Path and query, encoded. */
  target: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What came instead of an answer. */
export class NoAnswer extends Error {}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** An answer that goes on for ever is looked at for this long. */
const glanceMs = 50;

/** Rejects with NoAnswer when the connection breaks, or nothing comes in time. */
export function exchange(base: string, sent: WireRequest, withinMs = 60_000): Promise<WireAnswer> {
  const { hostname, port } = new URL(base);
  const { method, target: path, headers, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method,
      path,
      headers: { ...headers, ...sized(body) },
      agent,
    });
    const giveUp = (why: string) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(new NoAnswer(why));
    };
    const timer = setTimeout(
      () => giveUp(`no whole answer within ${withinMs / 1000} s to ${method} ${path}`),
      withinMs,
    );
    outgoing.on('error', ({ message }) => giveUp(`the connection broke: ${message}`));
    outgoing.on('response', (incoming) => {
      read(incoming).then(
        (content) => {
          clearTimeout(timer);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: content });
        },
        (error: Error) => giveUp(`the answer broke off: ${error.message}`),
      );
    });
    outgoing.end(body);
  });
}

const sized = (body: string | Buffer | undefined) =>
  body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const endless = /^text\/event-stream/.test(incoming.headers['content-type'] ?? '');
  const glance = endless ? setTimeout(() => incoming.destroy(), glanceMs) : undefined;
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch (error) {
    if (!endless) throw error;
  } finally {
    clearTimeout(glance);
  }
  return Buffer.concat(chunks);
}
