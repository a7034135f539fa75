import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

export const sessionCookieName = 'holdfast_session';

/**
 * With `__Secure-`, no page without HTTPS on the same host name can set it. `__Host-` would send it to every route: it
 * requires the path `/`.
 */
const nameFor = ({ secure }: Pick<Request, 'secure'>): string =>
  secure ? `__Secure-${sessionCookieName}` : sessionCookieName;

/** The refresh token in the cookie of a request; sessions from before the prefix have the plain name until they refresh. */
export function readSessionCookie(req: Request): string | undefined {
  const cookies = parseCookie(req.headers.cookie ?? '');
  return cookies[nameFor(req)] ?? cookies[sessionCookieName];
}

/** Without `keepForMs`, the browser removes the cookie when it is closed. */
export function writeSessionCookie(
  { req, res }: { req: Request; res: Response },
  { refreshToken, keepForMs }: { refreshToken: string; keepForMs: number | null },
): void {
  const lasting = keepForMs === null ? {} : { maxAge: keepForMs };
  res.cookie(nameFor(req), refreshToken, { ...optionsFor(req), ...lasting });
  clearFormer({ req, res });
}

export const clearSessionCookie = ({ req, res }: { req: Request; res: Response }): void => {
  res.clearCookie(nameFor(req), optionsFor(req));
  clearFormer({ req, res });
};

function clearFormer({ req, res }: { req: Request; res: Response }): void {
  const sent = parseCookie(req.headers.cookie ?? '');
  if (req.secure && sent[sessionCookieName] !== undefined)
    res.clearCookie(sessionCookieName, optionsFor(req));
}

/** Browsers send it to these routes only. */
const optionsFor = (req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  path: `${req.baseUrl}/api/auth/session`,
  secure: req.secure,
});
