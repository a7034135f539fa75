import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@holdfast/plugin-api';
import type { Express } from 'express';
import { ConfigurationError } from '../config.js';
import { type ConnectionLimits, fixedLimits } from './limits.js';
import { shareConnections } from './middleware/connection-shares.js';
import { rejectMalformedRequests } from './middleware/malformed-requests.js';

export interface Listening {
  /** For display: `http://127.0.0.1:8081`. */
  url: string;
  /** Stops accepting connections, waits `graceMs` for running responses, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  connections: ConnectionLimits;
  log: Log;
}

/** ConfigurationError if it can't listen on the address. */
export async function listen(app: Express, options: ListenOptions): Promise<Listening> {
  const { host, port, connections, log } = options;
  const server = createServer(timesOf(connections));
  rejectMalformedRequests(server);
  server.on('request', app);
  shareConnections(server, connections.connections, fullLog(log, connections.connections));
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(listenError(error, host, port));
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

const logAgainMs = 60_000;

function fullLog(log: Log, most: number) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - loggedAt < logAgainMs) return;
    loggedAt = performance.now();
    log.warn('too many connections: closing those that have been idle longest', { most });
  };
}

function listenError({ code }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `PORT ${port} on ${host} is in use by another process. Choose a different port.`;
  if (code === 'EACCES')
    return `PORT ${port} requires privileges that this user does not have. Choose a port above 1023.`;
  return `Can't listen on HOST ${host} (${code}). Use an address of this server.`;
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
