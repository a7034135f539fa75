import type { RequestHandler } from 'express';

/**
 * Serves the same with and without `basePath`, so a proxy may strip the prefix or not. `req.baseUrl` is the
 * prefix in both cases and must precede every returned address.
 */
export const belowBasePath =
  (basePath: string): RequestHandler =>
  (req, _res, next) => {
    req.baseUrl = basePath;
    req.url = withoutBase(req.url, basePath);
    next();
  };

/** Also if a client put the prefix before an address that had it already. */
export function withoutBase(url: string, basePath: string): string {
  if (basePath === '') return url;
  let rest = url;
  while (rest.startsWith(`${basePath}/`)) rest = rest.slice(basePath.length);
  return rest === basePath || rest.startsWith(`${basePath}?`) ? `/${rest.slice(basePath.length)}` : rest;
}
