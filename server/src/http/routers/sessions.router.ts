import type { sessionContract } from '@holdfast/contracts';
import { AppError, type AuthUseCases, say } from '@holdfast/core/server';
import type { Request, Response } from 'express';
import { noteUser } from '../audit/audit-requests.js';
import { clientAddress } from '../middleware/client-address.js';
import { callerOf } from '../sign-in/auth.js';
import type { LoginThrottle } from '../sign-in/login-throttle.js';
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from '../sign-in/session-cookie.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import { factorAttempt } from './totp.router.js';

type Session = Awaited<ReturnType<AuthUseCases['openBrowserSession']>>;

export const sessionRouter = (
  auth: AuthUseCases,
  throttle: LoginThrottle,
): RouterOf<typeof sessionContract> => ({
  open: async ({ body, req, res }) => {
    const attempt = { account: body.username, address: clientAddress(req) };
    return answer({ req, res }, await throttle.attempt(attempt, () => auth.openBrowserSession(body)));
  },
  complete: async ({ body, req, res }) => {
    const attempt = await factorAttempt(auth, { body, req, res });
    return answer({ req, res }, await throttle.attempt(attempt, () => auth.completeBrowserSession(body)));
  },
  refresh: async ({ req, res }) => {
    const refreshed = await auth.refreshBrowserSession(readSessionCookie(req));
    if (!('reusedBy' in refreshed)) return answer({ req, res }, refreshed);
    noteUser(
      res,
      refreshed.reusedBy,
      'A refresh token was used again after it was replaced: the session was ended.',
    );
    clearSessionCookie({ req, res });
    throw new AppError('unauthenticated', reused);
  },
  end: async ({ req, res }) => {
    const { endedBy, answer } = await auth.endBrowserSession(readSessionCookie(req));
    if (endedBy) noteUser(res, endedBy);
    clearSessionCookie({ req, res });
    return ok(answer);
  },
  confirm: async ({ body: { password, challenge = '', response }, req }) => {
    const caller = callerOf(req);
    const attempt = { account: caller.username, address: clientAddress(req) };
    return ok(
      await throttle.attempt(attempt, () =>
        response
          ? auth.confirmByPasskey(caller, { challenge, response })
          : auth.confirmPassword(caller, password ?? ''),
      ),
    );
  },
});

const reused = say`session_reused: The session was ended because its cookie was used twice: it may have been copied. Sign in again, and see the audit trail.`;

export function answer(exchange: { req: Request; res: Response }, session: Session) {
  noteUser(exchange.res, session.user);
  writeSessionCookie(exchange, session);
  return ok(session.view);
}
