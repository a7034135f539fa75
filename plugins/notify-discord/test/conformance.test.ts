import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-discord passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: () => 'discord://Holdfast@123456789012345678/sesame-4711-token',
    configurationFor: ({ host }) => ({ apiUrl: `http://${host}` }),
    secrets: ['123456789012345678', 'sesame-4711-token'],
    longestBody: 4_000,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
