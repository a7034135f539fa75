import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

export const sessionCookieName = 'holdfast_session';

/** The refresh token in the cookie of a request. */
export const readSessionCookie = ({ headers }: Request): string | undefined =>
  parseCookie(headers.cookie ?? '')[sessionCookieName];

/** Without `keepForMs`, the browser removes the cookie when it is closed. */
export function writeSessionCookie(
  { req, res }: { req: Request; res: Response },
  { refreshToken, keepForMs }: { refreshToken: string; keepForMs: number | null },
): void {
  const lasting = keepForMs === null ? {} : { maxAge: keepForMs };
  res.cookie(sessionCookieName, refreshToken, { ...optionsFor(req), ...lasting });
}

export const clearSessionCookie = ({ req, res }: { req: Request; res: Response }): void => {
  res.clearCookie(sessionCookieName, optionsFor(req));
};

/** Browsers send it to these routes only. */
const optionsFor = (req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  path: `${req.baseUrl}/api/auth/session`,
  secure: req.secure,
});
