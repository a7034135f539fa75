import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

describe('notify-webhook passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: ({ host }) => `json://ada:sesame-4711@${host}/hook/for-backups?+X-Token=tok-4712&-key=key-4713`,
    secrets: ['sesame-4711', 'tok-4712', 'key-4713', 'YWRhOnNlc2FtZS00NzEx'],
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
