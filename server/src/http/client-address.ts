import { isIP } from 'node:net';
import type { Request } from 'express';

/** Who asks: the peer, or what the proxies say that are trusted. Whatever is no address is not taken for one. */
export const clientAddress = (req: Request): string | undefined =>
  req.ip !== undefined && isIP(req.ip) !== 0 ? req.ip : req.socket.remoteAddress;
