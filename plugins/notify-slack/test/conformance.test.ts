import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-slack passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: () => 'slack://T0471100/B0471200/sesame4713token',
    configurationFor: ({ host }) => ({ apiUrl: `http://${host}` }),
    secrets: ['T0471100', 'B0471200', 'sesame4713token'],
    longestBody: 39_000,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
