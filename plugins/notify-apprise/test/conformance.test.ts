import { notifierSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

/** The sink stands in for the Apprise server: its faults are those that the transport meets. */
describe('notify-apprise passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: () => 'mailto://ada:sesame-4711@mail.test/tok-471211?to=a@b.test,c@d.test',
    configurationFor: ({ host }) => ({ url: `http://user:pw-471311@${host}/apprise/` }),
    secrets: ['sesame-4711', 'tok-471211', 'pw-471311', 'dXNlcjpwdy00NzEzMTE='],
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
