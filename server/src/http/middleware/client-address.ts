import { isIP } from 'node:net';
import type { Request } from 'express';

/** The address of the client: the peer, or the one reported by trusted proxies. Ignores invalid addresses. */
export function clientAddress(req: Request): string | undefined {
  const { ip } = req;
  return ip !== undefined && isIP(ip) !== 0 ? ip : req.socket.remoteAddress;
}
