import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import { apiTokenView, newApiToken } from './schemas/api-token.js';
import {
  credentials,
  newPassword,
  newUser,
  passwordChange,
  sessionView,
  userChanges,
  userView,
} from './schemas/user.js';

const c = initContract();
const tag = 'Authentication and users';
const itsId = z.object({ id: idText });

/** Routes that work while the user's password must be changed first. */
const ownAccount = { access: { who: 'any', beforePasswordChange: true }, tag } satisfies RouteMetadata;
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const adminOnly = { access: { who: 'admin' }, tag } satisfies RouteMetadata;

const { 404: _notFound, 409: _conflict, ...always } = failures;

export const authContract = c.router({
  login: {
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Get an access token for a username and a password',
    description: 'A form, or JSON with the same fields. After several wrong tries the answer is 429.',
    contentType: 'application/x-www-form-urlencoded',
    body: credentials,
    responses: { 200: sessionView, ...always },
    metadata: {
      access: { who: 'public' },
      tag,
      creates: 'nothing',
      audit: 'login',
      reveals: 'access_token',
    } satisfies RouteMetadata,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Revoke the access token of this request',
    description: 'The token is refused from then on, by every instance.',
    body: c.noBody(),
    responses: { 200: done, ...always },
    metadata: { ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The user of this request',
    description: 'Tells name, rights, and whether the password must be changed first.',
    responses: { 200: userView, ...always },
    metadata: ownAccount,
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Exchange the access token of a login for one with a fresh life; the old one ends',
    description: 'For tokens of a login only: an API token lives as long as it was made for.',
    body: c.noBody(),
    responses: { 200: sessionView, ...always },
    metadata: { ...ownAccount, creates: 'nothing', reveals: 'access_token' } satisfies RouteMetadata,
  },
  changePassword: {
    method: 'POST',
    path: '/api/auth/change-password',
    summary: 'Change the own password; every other token of the user ends',
    description: 'The token of this request stays valid.',
    body: passwordChange,
    responses: { 200: done, ...always },
    metadata: { cost: 'high', ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  listUsers: {
    method: 'GET',
    path: '/api/auth/users',
    summary: 'All users',
    description: 'With their rights, and when each signed in last.',
    responses: { 200: z.array(userView), ...always },
    metadata: adminOnly,
  },
  createUser: {
    method: 'POST',
    path: '/api/auth/users',
    summary: 'Create a user',
    description: 'The name must be new. Without `is_admin` the user may not change what belongs to all.',
    body: newUser,
    responses: { 201: userView, ...always, 409: failures[409] },
    headers: retryable,
    metadata: { cost: 'high', ...adminOnly, creates: 'resource' } satisfies RouteMetadata,
  },
  getUser: {
    method: 'GET',
    path: '/api/auth/users/:id',
    summary: 'Show one user',
    description: 'Its `ETag` makes a later change safe against one made meanwhile.',
    pathParams: itsId,
    responses: { 200: userView, 304: c.noBody(), ...always, 404: failures[404] },
    headers: cacheable,
    metadata: { ...adminOnly, version: 'user' } satisfies RouteMetadata,
  },
  updateUser: {
    method: 'PUT',
    path: '/api/auth/users/:id',
    summary: 'Change e-mail address, rights or activity of a user',
    description: 'Fields that are not given stay as they are. The last active administrator stays one.',
    pathParams: itsId,
    body: userChanges,
    responses: { 200: userView, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...adminOnly, version: 'user' } satisfies RouteMetadata,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/auth/users/:id',
    summary: 'Delete a user, and with it every token of that user',
    description: 'Not the own account. What the user asked for goes on.',
    pathParams: itsId,
    responses: { 200: done, ...always, ...outdated, 404: failures[404] },
    headers: conditional,
    metadata: { ...adminOnly, version: 'user' } satisfies RouteMetadata,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/settings/users/:id/reset-password',
    summary: 'Set a password that the user must change at the next login',
    description: 'Every token of the user ends.',
    pathParams: itsId,
    body: z.object({ new_password: newPassword }),
    responses: { 200: done, ...always, 404: failures[404] },
    metadata: { cost: 'high', ...adminOnly, creates: 'nothing' } satisfies RouteMetadata,
  },
  listTokens: {
    method: 'GET',
    path: '/api/auth/tokens',
    summary: 'The API tokens of the user of this request',
    description: 'Without the tokens themselves: each is shown once, when it is made.',
    responses: { 200: z.object({ success: z.literal(true), tokens: z.array(apiTokenView) }), ...always },
    metadata: anyUser,
  },
  createToken: {
    method: 'POST',
    path: '/api/auth/tokens',
    summary: 'Make an API token; `access_token` is shown in this answer only',
    description:
      'For scripts and other programs. It has the rights of its user, or may only read with `read_only`.',
    body: newApiToken,
    responses: {
      201: z.object({ success: z.literal(true), access_token: z.string(), token: apiTokenView }),
      ...always,
      409: failures[409],
    },
    headers: retryable,
    metadata: { ...anyUser, creates: 'resource', reveals: 'access_token' } satisfies RouteMetadata,
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/auth/tokens/:id',
    summary: 'Revoke one of the own API tokens',
    description: 'It is refused from then on.',
    pathParams: itsId,
    responses: { 200: done, ...always, 404: failures[404] },
    metadata: anyUser,
  },
});
