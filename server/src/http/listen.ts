import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { ConfigurationError } from '../config.js';

const headersWithin = 20_000;
/** For the whole request with its body of at most 1 MB; answers may last. */
const requestWithin = 60_000;
/** Longer than the minute after which proxies give an idle connection up: who closes first must not be us. */
const idleConnection = 65_000;

export interface Listening {
  /** For people: `http://127.0.0.1:8081`. */
  url: string;
  /** Accepts nothing more, waits `graceMs` for running answers, then cuts them. */
  close(graceMs: number): Promise<void>;
}

/** ConfigurationError when the address can't be listened on. */
export async function listen(
  app: Express,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(
    { headersTimeout: headersWithin, requestTimeout: requestWithin, keepAliveTimeout: idleConnection },
    app,
  );
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(badRequest);
    else socket.destroy();
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(refusal(error, host, port));
  });
  return { url: urlOf(server), close: (graceMs) => close(server, graceMs) };
}

const badRequest = (() => {
  const body = JSON.stringify({ detail: 'The request is no valid HTTP.' });
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return `${head}\r\nConnection: close\r\n\r\n${body}`;
})();

function refusal({ code }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `PORT ${port} on ${host} is taken by another process; choose another one.`;
  if (code === 'EACCES')
    return `PORT ${port} needs privileges that this user does not have; choose one above 1023.`;
  return `HOST ${host} can't be listened on (${code}); use an address of this machine.`;
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
