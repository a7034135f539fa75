import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-telegram passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: () => 'tgram://123456789:AAsesame-4711/-1001234567890?topic=42',
    configurationFor: ({ host }) => ({ apiUrl: `http://${host}` }),
    secrets: ['AAsesame-4711', '-1001234567890'],
    longestBody: 4_000,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
