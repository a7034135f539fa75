import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

const visitMs = 10 * 60_000;

/** Of the browser that went to a provider: nobody else can bring back the answer. */
const nameFor = ({ secure }: Pick<Request, 'secure'>) =>
  secure ? '__Secure-holdfast_sign_in' : 'holdfast_sign_in';

export const readVisitCookie = (req: Request): string | undefined =>
  parseCookie(req.headers.cookie ?? '')[nameFor(req)];

export const writeVisitCookie = ({ req, res }: { req: Request; res: Response }, value: string): void =>
  void res.cookie(nameFor(req), value, { ...optionsFor(req), maxAge: visitMs });

export const clearVisitCookie = ({ req, res }: { req: Request; res: Response }): void =>
  void res.clearCookie(nameFor(req), optionsFor(req));

/** `lax`: the browser comes back from another site. */
const optionsFor = (req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: `${req.baseUrl}/api/auth/sign-in`,
  secure: req.secure,
});
