import { signInSuite } from '@holdfast/testkit';
import { test } from 'vitest';
import plugin from '../index.js';

const suite = signInSuite({
  plugin,
  configurationFor: ({ issuer, client }) => ({ url: issuer, id: client.id, secret: client.secret }),
  // Plain OAuth has no ID tokens, and no session that could be ended.
  without: ['tokens', 'end'],
});
for (const { name, run } of suite) test.concurrent(name, run);
