import type { signInContract } from '@holdfast/contracts';
import { type AppError, type AuthUseCases, isAppError } from '@holdfast/core/server';
import type { Request, Response } from 'express';
import { noteAnswer, noteRemark, noteUser } from '../audit/audit-requests.js';
import { answerTo } from '../errors/error-answers.js';
import { clientAddress } from '../middleware/client-address.js';
import { callerOf } from '../sign-in/auth.js';
import type { LoginThrottle } from '../sign-in/login-throttle.js';
import { proxyHeadersOf } from '../sign-in/proxy-headers.js';
import { writeSessionCookie } from '../sign-in/session-cookie.js';
import { clearVisitCookie, readVisitCookie, writeVisitCookie } from '../sign-in/visit-cookie.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';

interface Exchange {
  req: Request;
  res: Response;
}

export const signInRouter = (
  auth: AuthUseCases,
  throttle: LoginThrottle,
): RouterOf<typeof signInContract> => {
  const beginFor =
    (kind: 'link' | 'confirm') =>
    async ({ params, query, req, res }: Exchange & Asked) => {
      const wanted = { provider: params.provider, returnTo: query.return_to, kind };
      const { redirect, cookie } = await auth.beginLink(callerOf(req), wanted);
      writeVisitCookie({ req, res }, cookie);
      return ok({ redirect });
    };

  return {
    list: async () => ok(auth.listSignIns()),
    start: async ({ params, query, req, res }) => {
      try {
        await throttle.visit(clientAddress(req));
        const wanted = { provider: params.provider, returnTo: query.return_to };
        const { redirect, cookie } = await auth.beginSignIn(wanted);
        writeVisitCookie({ req, res }, cookie);
        return goTo(res, redirect);
      } catch (error) {
        return failed({ req, res }, { error });
      }
    },
    callback: async ({ params: { provider }, req, res }) => {
      const [, search = ''] = /(\?.*)$/s.exec(req.originalUrl) ?? [];
      const returned = { provider, cookie: readVisitCookie(req), search, proxyHeaders: proxyHeadersOf(req) };
      clearVisitCookie({ req, res });
      let returnTo = '/';
      try {
        await throttle.visit(clientAddress(req));
        const ended = await auth.finishVisit(returned);
        returnTo = ended.returnTo;
        if ('refusal' in ended) throw ended.refusal;
        const { user, session, remark } = ended;
        noteUser(res, session?.user ?? user, remark);
        if (session) writeSessionCookie({ req, res }, session);
        return goTo(res, req.baseUrl + returnTo);
      } catch (error) {
        return failed({ req, res }, { error, returnTo });
      }
    },
    link: beginFor('link'),
    confirm: beginFor('confirm'),
    listIdentities: async ({ req }) => ok(await auth.listIdentities(callerOf(req))),
    unlink: async ({ params, req }) => ok(await auth.unlinkIdentity(callerOf(req), params.identity_id)),
  };
};

interface Asked {
  params: { provider: string };
  query: { return_to?: string | undefined };
}

function goTo(res: Response, address: string) {
  res.setHeader('Location', address);
  return { status: 302 as const, body: undefined };
}

/** The page shows the message of the code. The audit trail has the status that the redirect hides. */
async function failed(
  { req, res }: Exchange,
  { error, returnTo = '/' }: { error: unknown; returnTo?: string },
) {
  if (!isAppError(error)) throw error;
  const { detail, reason }: AppError = error;
  noteRemark(res, detail);
  await noteAnswer(res, answerTo(error).status);
  const page = new URL(returnTo, 'http://page');
  page.searchParams.set('sign_in_error', reason.code);
  return goTo(res, req.baseUrl + page.pathname + page.search + page.hash);
}
