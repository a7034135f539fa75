import { signInSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

const asBytes = (text: string) => Buffer.from(text).toString('latin1');

describe('signin-header passes the suite for sign-in', () => {
  const suite = signInSuite({
    plugin,
    configurationFor: () => ({ user: 'Remote-User' }),
    // The proxy lets the browser through, with headers about the person.
    visit: (url, { userName, displayName, email, groups }) => ({
      url,
      proxyHeaders: {
        'remote-user': asBytes(userName),
        'remote-name': asBytes(displayName),
        'remote-email': asBytes(email),
        'remote-groups': asBytes(groups.join(',')),
      },
    }),
    without: ['provider', 'tokens', 'cancel', 'verified', 'codes', 'end'],
  });
  for (const { name, run } of suite) it(name, run);
});
