import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@holdfast/plugin-api';
import type { Express } from 'express';
import { ConfigurationError } from '../config.js';
import { refuseBrokenRequests } from './broken-requests.js';
import { type ConnectionLimits, fixedLimits } from './limits.js';

export interface Listening {
  /** For people: `http://127.0.0.1:8081`. */
  url: string;
  /** Accepts nothing more, waits `graceMs` for running answers, then cuts them. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  connections: ConnectionLimits;
  log: Log;
}

/** ConfigurationError when the address can't be listened on. */
export async function listen(app: Express, options: ListenOptions): Promise<Listening> {
  const { host, port, connections, log } = options;
  const server = createServer(timesOf(connections));
  server.maxConnections = connections.connections;
  refuseBrokenRequests(server);
  tellDropped(server, log);
  server.on('request', app);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(refusal(error, host, port));
  });
  return { url: urlOf(server), close: (graceMs) => close(server, graceMs) };
}

function timesOf({ headersSeconds, requestSeconds, keepAliveSeconds }: ConnectionLimits): ServerOptions {
  const headersTimeout = Math.min(headersSeconds, requestSeconds) * 1000;
  return {
    headersTimeout,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: Math.min(5_000, headersTimeout / 4),
    maxHeaderSize: fixedLimits.headerBytes,
  };
}

const tellAgainMs = 60_000;

function tellDropped(server: Server, log: Log): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - toldAt < tellAgainMs) return;
    toldAt = performance.now();
    log.warn('connections are refused: there are too many', { most: server.maxConnections });
  });
}

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
