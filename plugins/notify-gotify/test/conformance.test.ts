import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-gotify passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: ({ host }) => `gotify://${host}/below/sesame-4711`,
    secrets: ['sesame-4711'],
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
