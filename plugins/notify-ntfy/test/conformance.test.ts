import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-ntfy passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: ({ host }) => `ntfy://ada:sesame-4711@${host}/topic-4712?priority=high`,
    secrets: ['sesame-4711', 'topic-4712', 'YWRhOnNlc2FtZS00NzEx'],
    longestBody: 4_000,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
