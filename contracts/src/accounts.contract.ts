import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  opensSession,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import { passkeyContract } from './passkeys.contract.js';
import { apiTokenView, newApiToken } from './schemas/api-token.js';
import * as field from './schemas/fields.js';
import {
  credentials,
  newPassword,
  newUser,
  passwordChange,
  secondFactorAnswer,
  sessionView,
  userChanges,
  userView,
} from './schemas/user.js';
import { sessionContract } from './sessions.contract.js';
import { signInContract } from './sign-in.contract.js';
import { totpContract } from './totp.contract.js';

const c = initContract();
const tag = 'Authentication and users';
const itsId = z.object({ id: idText.openapi({ description: 'Id of the user or token.' }) });

/** Routes that work while the user still has to change the password. */
const ownAccount = { access: { who: 'any', beforePasswordChange: true }, tag } satisfies RouteMetadata;
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const adminOnly = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;

const { 404: _notFound, 409: _conflict, ...always } = failures;

export const authContract = c.router({
  session: sessionContract,
  signIn: signInContract,
  login: {
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Get an access token for a username and a password',
    description:
      'Accepts a form, or JSON with the same fields. For a user with a second factor the response is 401 with the ' +
      'code `second_factor_required` and a challenge for the next step. After several failed attempts it is 429.',
    contentType: 'application/x-www-form-urlencoded',
    body: credentials,
    responses: { 200: sessionView, ...always },
    metadata: opensSession,
  },
  completeLogin: {
    method: 'POST',
    path: '/api/auth/login/totp',
    summary: 'Get an access token for the second factor',
    description:
      'The second step, if the first one responded 401 with the code `second_factor_required`. Each code works once. ' +
      'After several wrong codes the response is 429.',
    body: secondFactorAnswer,
    responses: { 200: sessionView, ...always },
    metadata: opensSession,
  },
  totp: totpContract,
  passkeys: passkeyContract,
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Revoke the access token of this request',
    description: 'Every instance rejects the token from then on.',
    body: c.noBody(),
    responses: { 200: done, ...always },
    metadata: { ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Show the user of this request',
    description: 'Returns the name, the permissions, and whether the password must be changed.',
    responses: { 200: userView, ...always },
    metadata: ownAccount,
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Exchange the access token of a login for a new one and revoke the old one',
    description: 'Only for tokens of a login. The lifetime of an API token is fixed when it is created.',
    body: c.noBody(),
    responses: { 200: sessionView, ...always },
    metadata: { ...ownAccount, creates: 'nothing', reveals: 'access_token' } satisfies RouteMetadata,
  },
  changePassword: {
    method: 'POST',
    path: '/api/auth/change-password',
    summary: 'Change your own password and revoke all your other tokens',
    description: 'The token of this request stays valid.',
    body: passwordChange,
    responses: { 200: done, ...always },
    metadata: { cost: 'high', ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  listUsers: {
    method: 'GET',
    path: '/api/auth/users',
    summary: 'List the users',
    description: 'With their permissions and the time of their last login.',
    responses: { 200: z.array(userView), ...always },
    metadata: adminOnly,
  },
  createUser: {
    method: 'POST',
    path: '/api/auth/users',
    summary: 'Create a user',
    description: 'The name must be unused. Without `is_admin` the user cannot change shared settings.',
    body: newUser,
    responses: { 201: userView, ...always, 409: failures[409] },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  getUser: {
    method: 'GET',
    path: '/api/auth/users/:id',
    summary: 'Show one user',
    description: 'Send its `ETag` with a later change to avoid overwriting a concurrent one.',
    pathParams: itsId,
    responses: { 200: userView, 304: c.noBody(), ...always, 404: failures[404] },
    headers: cacheable,
    metadata: { ...adminOnly, version: 'user' } satisfies RouteMetadata,
  },
  updateUser: {
    method: 'PUT',
    path: '/api/auth/users/:id',
    summary: 'Change the e-mail address or permissions of a user, or deactivate it',
    description: 'Absent fields are not changed. The last active administrator cannot lose that role.',
    pathParams: itsId,
    body: userChanges,
    responses: { 200: userView, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'user' } satisfies RouteMetadata,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/auth/users/:id',
    summary: 'Delete a user and all tokens of that user',
    description: 'You cannot delete your own account. Jobs that the user started continue.',
    pathParams: itsId,
    responses: { 200: done, ...always, ...outdated, 404: failures[404] },
    headers: conditional,
    metadata: { ...confirmed, version: 'user' } satisfies RouteMetadata,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/settings/users/:id/reset-password',
    summary: 'Set a password that the user must change at the next login',
    description: 'All tokens of the user are revoked.',
    pathParams: itsId,
    body: z.object({ new_password: newPassword }),
    responses: { 200: done, ...always, 404: failures[404] },
    metadata: { cost: 'high', ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  resetFactor: {
    method: 'POST',
    path: '/api/settings/users/:id/reset-factor',
    summary: 'Remove the second factor of a user who lost it',
    description:
      'Authenticator app, passkeys and recovery codes. The user is signed out everywhere; API tokens stay.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 200: done, ...always, 404: failures[404] },
    metadata: { ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  listTokens: {
    method: 'GET',
    path: '/api/auth/tokens',
    summary: 'List your own API tokens',
    description: 'Without the tokens themselves: each is shown only once, when it is created.',
    responses: { 200: z.object({ success: z.literal(true), tokens: z.array(apiTokenView) }), ...always },
    metadata: anyUser,
  },
  createToken: {
    method: 'POST',
    path: '/api/auth/tokens',
    summary: 'Create an API token; only this response contains the `access_token`',
    description:
      'For scripts and other programs. It has the permissions of its user, or only read access with `read_only`.',
    body: newApiToken,
    responses: {
      201: z.object({ success: z.literal(true), access_token: field.accessToken, token: apiTokenView }),
      ...always,
      409: failures[409],
    },
    headers: retryable,
    metadata: {
      access: { who: 'any', confirm: 'always' },
      tag,
      creates: 'resource',
      reveals: 'access_token',
    } satisfies RouteMetadata,
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/auth/tokens/:id',
    summary: 'Revoke one of your own API tokens',
    description: 'It is rejected from then on.',
    pathParams: itsId,
    responses: { 200: done, ...always, 404: failures[404], ...outdated },
    metadata: anyUser,
  },
});
