import type { Request } from 'express';

type Trust = (address: string | undefined, hop: number) => boolean;

/**
 * The headers of a request that a proxy in TRUST_PROXY sent; otherwise none, and none if TRUST_PROXY is a number, which
 * would trust any client. Headers that were sent twice are left out: one of them may be the client's.
 */
export function proxyHeadersOf(req: Request): Record<string, string> {
  const trusts = req.app.get('trust proxy fn') as Trust;
  const isProxy = Array.isArray(req.app.get('trust proxy')) && trusts(req.socket.remoteAddress, 0);
  if (!isProxy) return {};
  const once: [string, string][] = [];
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    const [value] = values;
    if (value !== undefined && values.length === 1) once.push([name, value]);
  }
  return Object.fromEntries(once);
}
