import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { done, failures, type RouteMetadata } from './common.js';
import { givenPassword, recoveryCodes, secondFactorAnswer, totpSetup } from './schemas/user.js';

const c = initContract();
const path = '/api/auth/totp';
const { 404: _notFound, 409: _conflict, ...always } = failures;

const ownAccount = {
  access: { who: 'any', beforePasswordChange: true },
  tag: 'Authentication and users',
  creates: 'nothing',
} satisfies RouteMetadata;
const withPassword = z.object({ password: givenPassword });

/** An authenticator app as second factor (RFC 6238: SHA-1, 6 digits, 30 seconds). */
export const totpContract = c.router({
  setup: {
    method: 'POST',
    path: `${path}/setup`,
    summary: 'Begin to set up an authenticator app',
    description: 'Nothing changes until its first code is sent to `enable`.',
    body: withPassword,
    responses: { 200: totpSetup, ...always, 409: failures[409] },
    metadata: { cost: 'high', ...ownAccount, reveals: 'second_factor' } satisfies RouteMetadata,
  },
  enable: {
    method: 'POST',
    path: `${path}/enable`,
    summary: 'Enable the authenticator app with its first code',
    description: 'Returns ten recovery codes. From then on, each sign-in with the password asks for a code.',
    body: secondFactorAnswer,
    responses: { 200: recoveryCodes, ...always },
    metadata: { ...ownAccount, reveals: 'second_factor' } satisfies RouteMetadata,
  },
  disable: {
    method: 'POST',
    path: `${path}/disable`,
    summary: 'Remove the authenticator app',
    description:
      'Needs the password and a code of the app, or a recovery code. Recovery codes go with the last second factor.',
    body: secondFactorAnswer.omit({ challenge: true }).merge(withPassword),
    responses: { 200: done, ...always },
    metadata: { cost: 'high', ...ownAccount } satisfies RouteMetadata,
  },
  renewCodes: {
    method: 'POST',
    path: `${path}/recovery-codes`,
    summary: 'Replace your recovery codes by ten new ones',
    description: 'The old ones no longer work.',
    body: withPassword,
    responses: { 200: recoveryCodes, ...always },
    metadata: { cost: 'high', ...ownAccount, reveals: 'second_factor' } satisfies RouteMetadata,
  },
});
