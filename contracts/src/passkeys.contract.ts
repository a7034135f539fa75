import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { done, failures, opensSession, outdated, type RouteMetadata } from './common.js';
import {
  addedPasskey,
  newPasskey,
  passkeyId,
  passkeyOptions,
  passkeySignIn,
  passkeySignInStart,
  passkeyView,
} from './schemas/passkey.js';
import { browserSessionView, givenPassword } from './schemas/user.js';

const c = initContract();
const path = '/api/auth/passkeys';
const tag = 'Authentication and users';
const itsId = z.object({ passkey_id: passkeyId });
const ownAccount = { access: { who: 'any', beforePasswordChange: true }, tag } satisfies RouteMetadata;

const { 404: _notFound, 409: _conflict, ...always } = failures;

/** WebAuthn. */
export const passkeyContract = c.router({
  list: {
    method: 'GET',
    path,
    summary: 'List your own passkeys',
    description: 'With the time of their last use.',
    responses: { 200: z.object({ success: z.literal(true), passkeys: z.array(passkeyView) }), ...always },
    metadata: ownAccount,
  },
  setup: {
    method: 'POST',
    path: `${path}/setup`,
    summary: 'Begin to add a passkey',
    description:
      'Nothing changes until the answer of the authenticator is sent to `POST /api/auth/passkeys`.',
    body: z.object({ password: givenPassword }),
    responses: { 200: passkeyOptions, ...always, 409: failures[409] },
    metadata: { cost: 'high', ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  add: {
    method: 'POST',
    path,
    summary: 'Add a passkey with the answer of its authenticator',
    description:
      'It belongs to the address in the browser. From then on, each sign-in with the password asks for a second factor. ' +
      'At most 20 for each user.',
    body: newPasskey,
    responses: { 200: addedPasskey, ...always, 409: failures[409] },
    metadata: { ...ownAccount, creates: 'nothing', reveals: 'second_factor' } satisfies RouteMetadata,
  },
  rename: {
    method: 'POST',
    path: `${path}/:passkey_id/rename`,
    summary: 'Rename one of your own passkeys',
    description: 'The name is only shown.',
    pathParams: itsId,
    body: newPasskey.pick({ name: true }),
    responses: { 200: done, ...always, 404: failures[404] },
    metadata: { ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  remove: {
    method: 'DELETE',
    path: `${path}/:passkey_id`,
    summary: 'Remove one of your own passkeys',
    description: 'It no longer signs in. Recovery codes go with the last second factor. Not for API tokens.',
    pathParams: itsId,
    responses: { 200: done, ...always, 404: failures[404], 409: failures[409], ...outdated },
    metadata: { access: { ...ownAccount.access, confirm: 'always' }, tag } satisfies RouteMetadata,
  },
  confirmOptions: {
    method: 'POST',
    path: `${path}/confirm-options`,
    summary: 'Begin to confirm with a passkey',
    description: 'Send the answer of the authenticator to `POST /api/auth/confirm`.',
    body: c.noBody(),
    responses: { 200: passkeyOptions, ...always },
    metadata: { ...ownAccount, creates: 'nothing', audit: 'failures' } satisfies RouteMetadata,
  },
  signInOptions: {
    method: 'POST',
    path: '/api/auth/session/passkey/options',
    summary: 'Begin to sign in from a browser with a passkey',
    description: 'As second factor, or instead of user name and password.',
    body: passkeySignInStart,
    responses: { 200: passkeyOptions, ...always },
    metadata: {
      access: { who: 'public' },
      tag,
      creates: 'nothing',
      audit: 'failures',
    } satisfies RouteMetadata,
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/session/passkey',
    summary: 'Sign in from a browser with the answer of a passkey',
    description: 'Each answer works once. After several failed attempts the response is 429.',
    body: passkeySignIn,
    responses: { 200: browserSessionView, ...always },
    metadata: opensSession,
  },
});
