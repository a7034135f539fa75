import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-pushover passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: () => 'pover://uSesame4711user@aSesame4712token/phone4713',
    configurationFor: ({ host }) => ({ apiUrl: `http://${host}` }),
    secrets: ['uSesame4711user', 'aSesame4712token'],
    longestBody: 1_000,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
