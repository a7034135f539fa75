import type { totpContract } from '@holdfast/contracts';
import type { AuthUseCases } from '@holdfast/core/server';
import type { Request, Response } from 'express';
import { noteUser } from '../audit/audit-requests.js';
import { clientAddress } from '../middleware/client-address.js';
import { callerOf } from '../sign-in/auth.js';
import type { LoginThrottle } from '../sign-in/login-throttle.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';

export const totpRouter = (auth: AuthUseCases, throttle: LoginThrottle): RouterOf<typeof totpContract> => {
  const attempt = <T>(req: Request, work: () => Promise<T>) =>
    throttle.attempt({ account: callerOf(req).username, address: clientAddress(req) }, work);
  return {
    setup: async ({ body, req }) => {
      const begun = await attempt(req, () => auth.setUpTotp(callerOf(req), body.password));
      const { renderSVG } = await import('uqr');
      return ok({ ...begun, qr_svg: renderSVG(begun.uri, { border: 2 }) });
    },
    enable: async ({ body, req }) => ok(await auth.enableTotp(callerOf(req), body)),
    disable: async ({ body, req }) => ok(await attempt(req, () => auth.disableTotp(callerOf(req), body))),
    renewCodes: async ({ body, req }) =>
      ok(await attempt(req, () => auth.renewRecoveryCodes(callerOf(req), body.password))),
  };
};

/** Wrong codes have a count of their own, which a right password must not reset. */
export async function factorAttempt(
  auth: AuthUseCases,
  { body, req, res }: { body: { challenge: string }; req: Request; res: Response },
) {
  const user = await auth.userOfChallenge(body.challenge);
  if (user) noteUser(res, user);
  const account = `second factor of ${user?.username ?? 'nobody'}`;
  return { account, address: clientAddress(req), strict: true };
}
