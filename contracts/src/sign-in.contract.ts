import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { done, failures, idText, outdated, type RouteMetadata } from './common.js';
import { identityView } from './schemas/user.js';

const c = initContract();
const tag = 'Authentication and users';
const path = '/api/auth/sign-in';
const { 404: _notFound, 409: _conflict, ...always } = failures;

const provider = z.object({
  provider: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the id of a sign-in')
    .openapi({ description: 'Id of the plugin.', example: 'oidc' }),
});
const returning = z.object({
  return_to: z.string().max(2_000).optional().openapi({
    description: 'A path of the console to open afterwards. Any other value opens its first page.',
    example: '/schedules',
  }),
});
const redirect = z.object({
  redirect: z.string().openapi({
    description: 'Where the page must go.',
    example: 'https://id.example.org/authorize?client_id=holdfast',
  }),
});
/** Browsers navigate to these: each response is a redirect, after a failure to the sign-in page. */
const navigation = {
  access: { who: 'public' },
  tag,
} satisfies RouteMetadata;
const ownAccount = { access: { who: 'any', confirm: 'always' }, tag } satisfies RouteMetadata;

/** Signing in with plugins. */
export const signInContract = c.router({
  list: {
    method: 'GET',
    path,
    summary: 'List the providers that users can sign in with',
    description: 'The sign-in page has a button for each.',
    responses: {
      200: z.array(
        z.object({
          id: z.string().openapi({ example: 'oidc' }),
          label: z.string().openapi({ example: 'id.example.org' }),
        }),
      ),
      ...always,
    },
    metadata: navigation,
  },
  start: {
    method: 'GET',
    path: `${path}/:provider/start`,
    summary: 'Sign in with a provider',
    description: 'Open it in the browser: it redirects to the provider, and sets a cookie for its answer.',
    pathParams: provider,
    query: returning,
    responses: { 302: c.noBody(), ...always },
    metadata: navigation,
  },
  callback: {
    method: 'GET',
    path: `${path}/:provider/callback`,
    summary: 'Finish a sign-in with a provider',
    description:
      'Register this address at the provider. It redirects to the console with a session cookie. After a failure it ' +
      'redirects to the sign-in page, with the code of the message as `error`.',
    pathParams: provider,
    responses: { 302: c.noBody(), ...always },
    metadata: { ...navigation, audit: 'login' } satisfies RouteMetadata,
  },
  link: {
    method: 'POST',
    path: `${path}/:provider/link`,
    summary: 'Link your account at a provider with your user',
    description: 'Returns where the page must go. Afterwards you can sign in with that account.',
    pathParams: provider,
    query: returning,
    body: c.noBody(),
    responses: { 200: redirect, ...always, 404: failures[404] },
    metadata: { ...ownAccount, creates: 'nothing' } satisfies RouteMetadata,
  },
  confirm: {
    method: 'POST',
    path: `${path}/:provider/confirm`,
    summary: 'Confirm who you are at a provider',
    description:
      'Like `POST /api/auth/confirm`, for users who sign in with a provider: the provider asks them again.',
    pathParams: provider,
    query: returning,
    body: c.noBody(),
    responses: { 200: redirect, ...always, 404: failures[404] },
    metadata: { access: { who: 'any' }, tag, creates: 'nothing' } satisfies RouteMetadata,
  },
  listIdentities: {
    method: 'GET',
    path: '/api/auth/identities',
    summary: 'List your linked accounts at providers',
    description: 'You can sign in with each of them.',
    responses: { 200: z.array(identityView), ...always },
    metadata: { access: { who: 'any' }, tag } satisfies RouteMetadata,
  },
  unlink: {
    method: 'DELETE',
    path: '/api/auth/identities/:identity_id',
    summary: 'Unlink one of your accounts at a provider',
    description: 'Ends the browser sessions that it opened. The last way to sign in cannot be removed.',
    pathParams: z.object({ identity_id: idText.openapi({ description: 'Id of the linked account.' }) }),
    responses: { 200: done, ...always, 404: failures[404], 409: failures[409], ...outdated },
    metadata: ownAccount,
  },
});
