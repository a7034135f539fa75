import type { passkeyContract } from '@holdfast/contracts';
import type { AuthUseCases } from '@holdfast/core/server';
import { clientAddress } from '../middleware/client-address.js';
import { callerOf } from '../sign-in/auth.js';
import type { LoginThrottle } from '../sign-in/login-throttle.js';
import { ownOrigin } from '../sign-in/own-page.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import { answer } from './sessions.router.js';

export const passkeyRouter = (
  auth: AuthUseCases,
  throttle: LoginThrottle,
): RouterOf<typeof passkeyContract> => ({
  list: async ({ req }) => ok(await auth.listPasskeys(callerOf(req))),
  setup: async ({ body, req }) => {
    const caller = callerOf(req);
    const attempt = { account: caller.username, address: clientAddress(req) };
    const given = { ...body, origin: ownOrigin(req) };
    return ok(await throttle.attempt(attempt, () => auth.setUpPasskey(caller, given)));
  },
  add: async ({ body, req }) => ok(await auth.addPasskey(callerOf(req), { ...body, origin: ownOrigin(req) })),
  rename: async ({ params, body, req }) =>
    ok(await auth.renamePasskey(callerOf(req), { id: params.passkey_id, name: body.name })),
  remove: async ({ params, req }) => ok(await auth.removePasskey(callerOf(req), params.passkey_id)),
  confirmOptions: async ({ req }) => ok(await auth.offerPasskeyConfirmation(callerOf(req), ownOrigin(req))),
  signInOptions: async ({ body, req }) =>
    ok(await auth.offerPasskeySignIn({ ...body, origin: ownOrigin(req) })),
  signIn: async ({ body, req, res }) => {
    const owner = (await auth.userOfPasskey(body.response)) ?? 'nobody';
    const attempt = { account: `passkeys of ${owner}`, address: clientAddress(req) };
    return answer({ req, res }, await throttle.attempt(attempt, () => auth.signInWithPasskey(body)));
  },
});
