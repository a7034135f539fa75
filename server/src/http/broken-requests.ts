import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Refusal {
  status: string;
  detail: string;
}

const malformed: Refusal = { status: '400 Bad Request', detail: 'The request is no valid HTTP.' };
const refusals: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    detail: 'The request did not come to its end in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The address and the headers are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    detail: 'The extensions of a chunk are too large.',
  },
};

/** How long the client may still read why. */
const goneWithinMs = 2_000;

/** Answers what never becomes a request that handlers see, and ends its connection. */
export function refuseBrokenRequests(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after a refusal is broken too; it must not keep the client from reading why.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = answers.get(socket);
    const begun = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || begun) socket.destroy();
    else refuse(socket, refusals[error.code ?? ''] ?? malformed);
  });
}

function refuse(socket: Duplex, { status, detail }: Refusal): void {
  const body = JSON.stringify({ detail });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), goneWithinMs);
  (socket as Socket).once('close', () => clearTimeout(timer));
}
