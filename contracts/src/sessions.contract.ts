import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { done, failures, opensSession, outdated, type RouteMetadata } from './common.js';
import { confirmationGiven } from './schemas/passkey.js';
import { browserCredentials, browserSessionView, confirmation, secondFactorAnswer } from './schemas/user.js';

const c = initContract();
const tag = 'Authentication and users';
const path = '/api/auth/session';
const byCookie = { access: { who: 'public', cookie: true }, tag } satisfies RouteMetadata;

const { 404: _notFound, 409: _conflict, ...always } = failures;

const ownPage = z.object({
  'x-holdfast-session': z.string().optional().openapi({
    description: 'Always `1`. Required, so that a form or link on another site cannot make this request.',
    example: '1',
  }),
});

const signedOut = done.extend({
  provider_logout: z.string().nullable().openapi({
    description:
      'Open it next: it ends the session at the provider that signed the user in. Null: there is none.',
    example: null,
  }),
});

/** Signing in from a browser. */
export const sessionContract = c.router({
  open: {
    method: 'POST',
    path,
    summary: 'Sign in from a browser',
    description:
      'The access token is valid for 15 minutes: keep it in memory. Use the session cookie, which only ' +
      'these routes read, to get the next one. After several failed attempts the response is 429.',
    body: browserCredentials,
    responses: { 200: browserSessionView, ...always },
    metadata: opensSession,
  },
  complete: {
    method: 'POST',
    path: `${path}/totp`,
    summary: 'Sign in from a browser with the second factor',
    description:
      'The second step, if the first one responded 401 with the code `second_factor_required`. Each code works once.',
    body: secondFactorAnswer,
    responses: { 200: browserSessionView, ...always },
    metadata: opensSession,
  },
  refresh: {
    method: 'POST',
    path: `${path}/refresh`,
    summary: 'Get the next access token of a browser session',
    description:
      'Also replaces the cookie. A request with a cookie that was replaced earlier ends the session, ' +
      'because the cookie was copied; within 30 seconds, or if the response was lost, it gets the same ' +
      'response again.',
    headers: ownPage,
    body: c.noBody(),
    responses: { 200: browserSessionView, ...always },
    metadata: {
      ...byCookie,
      creates: 'nothing',
      audit: 'failures',
      reveals: 'access_token',
    } satisfies RouteMetadata,
  },
  end: {
    method: 'DELETE',
    path,
    summary: 'Sign out of a browser session',
    description: 'Ends the session of the cookie with all its access tokens, and removes the cookie.',
    headers: ownPage,
    body: c.noBody(),
    responses: { 200: signedOut, ...always, ...outdated },
    metadata: byCookie,
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/confirm',
    summary: 'Confirm your password, or a passkey, for actions that cannot be undone',
    description:
      'Valid for ten minutes in this browser session. Only browser sessions need it; they get 403 with the ' +
      'code `confirmation_required`. Wrong passwords count like failed logins.',
    body: confirmationGiven,
    responses: { 200: confirmation, ...always },
    metadata: { access: { who: 'any' }, tag, creates: 'nothing' } satisfies RouteMetadata,
  },
});
