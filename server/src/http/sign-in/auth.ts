import { neededRight } from '@holdfast/contracts';
import {
  AppError,
  type Caller,
  forbidden,
  type Message,
  type SignedInCaller,
  say,
} from '@holdfast/core/server';
import type { NextFunction, Response } from 'express';
import { Passport } from 'passport';
import { downloadedObject } from '../downloads/download-link.js';
import type { DescribedRoute, Wrap } from '../routers/route-handlers.js';
import { BearerToken, type RoutedRequest, ticketOf, tokenOf } from './bearer-token.js';
import { foreignPageRefusal } from './own-page.js';

/** Fits every contract, because the request type of ts-rest depends on the routes. */
type Guard = (req: object, res: Response, next: NextFunction) => void;
type Authenticate = (accessToken: string) => Promise<SignedInCaller | null>;
type RefuseUnconfirmed = (caller: Caller) => AppError | null;
type RedeemTicket = (
  ticket: string,
  object: string,
) => Promise<{ caller: SignedInCaller; filePaths: string[] | null } | null>;

/**
 * Global middleware of the routes: admits callers allowed by the `access` of the route. Runs before
 * validation and any lookup, so 401 and 403 reveal nothing about the request or the object.
 */
export function accessGuard({
  authenticate,
  redeemTicket,
  refuseUnconfirmed,
}: {
  authenticate: Authenticate;
  redeemTicket: RedeemTicket;
  refuseUnconfirmed: RefuseUnconfirmed;
}): Guard {
  const passport = new Passport();
  passport.use(
    new BearerToken((token, done) => {
      authenticate(token).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error),
      );
    }),
  );

  const refuse = (caller: SignedInCaller, route: DescribedRoute) =>
    refusalOf(caller, route) ??
    (route.metadata.access.confirm === 'always' ? refuseUnconfirmed(caller) : null);
  const redeem = async (req: RoutedRequest, ticket: string): Promise<SignedInCaller | null> => {
    const object = downloadedObject(req.tsRestRoute.path, req.params, req.query);
    const redeemed = await redeemTicket(ticket, object);
    if (redeemed?.filePaths) req.query.file_path = redeemed.filePaths;
    return redeemed?.caller ?? null;
  };

  /** On a public route, an invalid token means an anonymous caller. */
  const recognise: Guard = (routed, res, next) => {
    const req = routed as RoutedRequest;
    const look = (error: unknown, caller: SignedInCaller | false | undefined) => {
      if (caller && refuse(caller, req.tsRestRoute) === null) req.user = caller;
      next(error ?? undefined);
    };
    passport.authenticate('bearer', { session: false }, look)(req, res, next);
  };

  return (routed, res, next) => {
    const req = routed as RoutedRequest;
    const { access } = req.tsRestRoute.metadata;
    if (access.tokenOptional && tokenOf(req) !== null) return recognise(req, res, next);
    if (access.who === 'public') return next((access.cookie && foreignPageRefusal(req)) || undefined);
    const decide = (error: unknown, caller: SignedInCaller | false | undefined) => {
      const refusal = error ?? (caller ? refuse(caller, req.tsRestRoute) : unauthenticated(req));
      if (caller) req.user = caller;
      next(refusal ?? undefined);
    };
    const ticket = ticketOf(req);
    if (ticket === null) passport.authenticate('bearer', { session: false }, decide)(req, res, next);
    else redeem(req, ticket).then((caller) => decide(null, caller ?? false), next);
  };
}

/** Refuses bodies with fields that a browser session has to confirm, before anything is done. */
export const confirmFields =
  (refuseUnconfirmed: RefuseUnconfirmed): Wrap =>
  (handler, { metadata: { access } }) => {
    const { confirmFor } = access;
    if (!confirmFor) return handler;
    return async (input) => {
      const body = input.body as Record<string, unknown>;
      const refusal = confirmFor.some((field) => body[field]) ? refuseUnconfirmed(callerOf(input.req)) : null;
      if (refusal) throw refusal;
      return handler(input);
    };
  };

/** The caller that the guard let in. Only for routes that are not public. */
export function callerOf(req: { user?: unknown }): Caller {
  if (!req.user) throw new Error('callerOf() on a public route');
  return req.user as SignedInCaller;
}

/** Whether a caller of a public route brought a valid token. */
export const isSignedIn = (req: { user?: unknown }): boolean => req.user !== undefined;

function refusalOf(caller: SignedInCaller, route: DescribedRoute): AppError | null {
  const { method } = route;
  const { access } = route.metadata;
  if (caller.mustChangePassword && !access.beforePasswordChange) {
    return forbidden(
      say`password_change_required: Change your password first: POST /api/auth/change-password.`,
    );
  }
  if (caller.mustSetUpFactor && !access.beforePasswordChange) {
    return forbidden(
      say`second_factor_setup_required: Set up a second factor first: POST /api/auth/totp/setup, or open the console.`,
    );
  }
  if (caller.summaryOnly && !access.summaryTokens)
    return forbidden(
      say`api_token_summary_only: This API token opens only GET /api/status/summary: use another token.`,
    );
  const isGranted = caller.limits !== undefined && neededRight(route) !== undefined;
  if (caller.limits && !isGranted)
    return forbidden(
      say`right_missing: Your account, or this token, is limited to some repositories: ask an administrator.`,
    );
  if (access.who === 'admin' && !caller.isAdmin && !isGranted)
    return forbidden(say`administrator_required: Only an administrator may do this.`);
  const looksOnly = access.readOnlyTokens ?? method === 'GET';
  if (caller.readOnly && !looksOnly) {
    return forbidden(say`api_token_read_only: This API token is read-only: use another token.`);
  }
  return null;
}

const unauthenticated = (req: RoutedRequest): AppError => new AppError('unauthenticated', whatIsMissing(req));

function whatIsMissing(req: RoutedRequest): Message {
  if (ticketOf(req) !== null) {
    return say`download_ticket_unknown: The ticket is unknown, used, expired or for another download: POST /api/download-tickets gives one.`;
  }
  return tokenOf(req) === null
    ? say`access_token_missing: An access token is required, as \`Authorization: Bearer <token>\`: POST /api/auth/login gives one.`
    : say`access_token_unknown: The access token is unknown, expired or revoked: log in again.`;
}
