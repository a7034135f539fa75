import { authContract } from '@holdfast/contracts';
import type { AuthUseCases } from '@holdfast/core/server';
import { initServer } from '@ts-rest/express';
import { clientAddress } from '../middleware/client-address.js';
import { callerOf } from '../sign-in/auth.js';
import { type LoginThrottle, makeLoginThrottle } from '../sign-in/login-throttle.js';
import { passkeyRouter } from './passkeys.router.js';
import { created, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import { sessionRouter } from './sessions.router.js';
import { signInRouter } from './sign-in.router.js';
import { factorAttempt, totpRouter } from './totp.router.js';

const server = initServer();

export const authRouter = (
  { auth }: { auth: AuthUseCases },
  throttle: LoginThrottle = makeLoginThrottle(),
): RouterOf<typeof authContract> =>
  server.router(authContract, {
    session: sessionRouter(auth, throttle),
    signIn: signInRouter(auth, throttle),
    login: async ({ body, req }) =>
      ok(
        await throttle.attempt({ account: body.username, address: clientAddress(req) }, () =>
          auth.logIn(body),
        ),
      ),
    completeLogin: async ({ body, req, res }) => {
      const attempt = await factorAttempt(auth, { body, req, res });
      return ok(await throttle.attempt(attempt, () => auth.completeLogin(body)));
    },
    totp: totpRouter(auth, throttle),
    passkeys: passkeyRouter(auth, throttle),
    logout: async ({ req }) => ok(await auth.logOut(callerOf(req))),
    me: async ({ req }) => ok(await auth.getMe(callerOf(req))),
    refresh: async ({ req }) => ok(await auth.refreshSession(callerOf(req))),
    changePassword: async ({ body, req }) => {
      const caller = callerOf(req);
      const attempt = { account: caller.username, address: clientAddress(req) };
      return ok(await throttle.attempt(attempt, () => auth.changePassword(caller, body)));
    },
    listUsers: async ({ req }) => ok(await auth.listUsers(callerOf(req))),
    createUser: async ({ body, req }) => created(await auth.createUser(callerOf(req), body)),
    getUser: async ({ params }) => ok(await auth.getUser(params.id)),
    updateUser: async ({ params, body, req }) =>
      ok(await auth.updateUser(callerOf(req), { ...body, id: params.id })),
    deleteUser: async ({ params, req }) => ok(await auth.deleteUser(callerOf(req), params.id)),
    resetPassword: async ({ params, body, req }) =>
      ok(await auth.resetPassword(callerOf(req), { id: params.id, newPassword: body.new_password })),
    resetFactor: async ({ params, req }) => ok(await auth.resetFactor(callerOf(req), params.id)),
    listTokens: async ({ req }) => ok(await auth.listTokens(callerOf(req))),
    createToken: async ({ body, req }) => created(await auth.createToken(callerOf(req), body)),
    deleteToken: async ({ params, req }) => ok(await auth.deleteToken(callerOf(req), params.id)),
  });
