import { signInSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('signin-oidc passes the suite for sign-in', () => {
  const suite = signInSuite({
    plugin,
    configurationFor: ({ issuer, client }) => ({
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      timeoutSeconds: 2,
    }),
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
