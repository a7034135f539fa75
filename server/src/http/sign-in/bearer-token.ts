import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { DescribedRoute } from '../routers/route-handlers.js';

/** A request that ts-rest has found the route of. */
export type RoutedRequest = Request & { tsRestRoute: DescribedRoute };

/**
 * Reads bearer tokens from the `Authorization` header and, if the route allows it, from the query parameter
 * `token`. The library would also accept `access_token` in any body or query, which can end up in logs of
 * others.
 */
export class BearerToken extends Strategy<never> {
  override authenticate(req: Request, options?: object): void {
    const token = tokenOf(req as RoutedRequest);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    super.authenticate({ headers } as Request, options);
  }
}

/** The second one is for proxies that use `Authorization` themselves. A page of another origin can't send it. */
const headerOf = ({ headers }: Request): string | undefined => {
  const given = headers['x-bk-authorization'] ?? headers.authorization;
  return typeof given === 'string' ? given : undefined;
};

/** The token that a request brings, or null. The header wins. */
export function tokenOf(req: RoutedRequest): string | null {
  const authorization = headerOf(req);
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
  return fromQuery(req, 'token');
}

/** The ticket of a download link, or null. A token, where there is one, wins. */
export const ticketOf = (req: RoutedRequest): string | null =>
  headerOf(req) === undefined && tokenOf(req) === null ? fromQuery(req, 'ticket') : null;

function fromQuery(req: RoutedRequest, name: string): string | null {
  const value = req.query[name];
  return req.tsRestRoute.metadata.access.tokenInQuery && typeof value === 'string' && value !== ''
    ? value
    : null;
}
