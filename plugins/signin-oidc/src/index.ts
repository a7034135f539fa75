import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { openIdProvider } from './openid-provider.js';

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Any provider of OpenID Connect: authorization code with PKCE. */
export default definePlugin({
  kind: 'sign-in',
  configuration: z
    .object({
      issuer: z.string().url(),
      clientId: z.string().min(1),
      /** Without it, the client is a public one. */
      clientSecret: z.string().min(1).optional().describe('secret'),
      label: z.string().trim().min(1).max(60).optional(),
      scopes: z.string().default('openid profile email'),
      /** The claim with the groups; one inside another as `realm_access.roles`. */
      groupsClaim: z.string().min(1).default('groups'),
      /** HTTP to other machines than this one. */
      allowHttp: z.boolean().default(false),
      /** Per request to the provider. */
      timeoutSeconds: z.number().positive().max(60).default(10),
    })
    .refine(({ issuer, allowHttp }) => {
      const { protocol, hostname } = new URL(issuer);
      return protocol === 'https:' || (protocol === 'http:' && (allowHttp || loopback.test(hostname)));
    }, 'issuer must begin with https://; http:// is only for this machine')
    .refine(
      ({ scopes }) => scopes.split(' ').includes('openid'),
      'scopes must contain openid, and be separated by spaces',
    ),
  create: ({ configuration, clock, fetch }) => openIdProvider(configuration, { clock, fetch }),
});
