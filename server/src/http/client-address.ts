import { isIP } from 'node:net';
import type { Request } from 'express';

/** Who asks: the peer, or what the proxies say that are trusted. Whatever is no address is not taken for one. */
export function clientAddress(req: Request): string | undefined {
  const { ip } = req;
  return ip !== undefined && isIP(ip) !== 0 ? ip : req.socket.remoteAddress;
}
