import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Rejection {
  status: string;
  detail: string;
  code: string;
}

const malformed: Rejection = {
  status: '400 Bad Request',
  detail: 'The request is not valid HTTP.',
  code: 'request_malformed',
};
const rejections: Record<string, Rejection> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    detail: 'The request was not completed in time.',
    code: 'request_timeout',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The URL and the headers are too large.',
    code: 'headers_too_large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    detail: 'The chunk extensions are too large.',
    code: 'chunk_extensions_too_large',
  },
};

/** How long the client may still read the response. */
const goneWithinMs = 2_000;

/** Answers requests that are too broken to reach the handlers, and closes their connections. */
export function rejectMalformedRequests(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const rejected = new WeakSet<Duplex>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Further data on a rejected connection is broken too, but the client must be able to read the response.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const answer = answers.get(socket);
    const begun = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || begun) socket.destroy();
    else reject(socket, rejections[error.code ?? ''] ?? malformed);
  });
}

function reject(socket: Duplex, { status, ...content }: Rejection): void {
  const body = JSON.stringify(content);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), goneWithinMs);
  (socket as Socket).once('close', () => clearTimeout(timer));
}
