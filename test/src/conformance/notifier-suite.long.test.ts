import { definePlugin, type NotificationTransport } from '@holdfast/plugin-api';
import { notifierSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ClingingTransport } from '../broken-plugins/notifier-clinging.js';
import { CuttingTransport } from '../broken-plugins/notifier-cutting.js';
import { DeafTransport } from '../broken-plugins/notifier-deaf.js';
import { DoublingTransport } from '../broken-plugins/notifier-doubling.js';
import { EagerTransport } from '../broken-plugins/notifier-eager.js';
import { GreedyTransport } from '../broken-plugins/notifier-greedy.js';
import { HastyTransport } from '../broken-plugins/notifier-hasty.js';
import { HopefulTransport } from '../broken-plugins/notifier-hopeful.js';
import { HopelessTransport } from '../broken-plugins/notifier-hopeless.js';
import { MixingTransport } from '../broken-plugins/notifier-mixing.js';
import { MuteTransport } from '../broken-plugins/notifier-mute.js';
import { OffendedTransport } from '../broken-plugins/notifier-offended.js';
import { OptimisticTransport } from '../broken-plugins/notifier-optimistic.js';
import { RepeatingTransport } from '../broken-plugins/notifier-repeating.js';
import { SoundTransport } from '../broken-plugins/notifier-sound.js';
import { StubbornTransport } from '../broken-plugins/notifier-stubborn.js';
import { TalkativeTransport } from '../broken-plugins/notifier-talkative.js';
import { TirelessTransport } from '../broken-plugins/notifier-tireless.js';
import { TokenTellingTransport } from '../broken-plugins/notifier-token.js';
import { WesternTransport } from '../broken-plugins/notifier-western.js';

/** Names of the broken promises. */
async function brokenBy(make: () => NotificationTransport): Promise<string[]> {
  const plugin = definePlugin({ kind: 'notify', configuration: z.object({}), create: make });
  const suite = notifierSuite({
    plugin,
    urlFor: ({ host }) => `probe://${host}/token-4711`,
    secrets: ['token-4711'],
  });
  const results = await Promise.allSettled(suite.map(({ run }) => run()));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

describe.concurrent('the suite for transports', () => {
  it('passes a sound transport', async () => {
    expect(await brokenBy(() => new SoundTransport())).toEqual([]);
  });

  it.each<[string, () => NotificationTransport, string[]]>([
    [
      'counts any response as a delivery',
      () => new OptimisticTransport(),
      [
        'an answer of 500 is a retryable failure',
        'an answer of 400 is a permanent failure',
        'no secret is in the error after an answer of 500 that repeats the request',
        'no secret is in the error after an answer of 400 that repeats the request',
        'an error answer of a gibibyte is not read completely',
        'a loop of redirects ends',
      ],
    ],
    [
      'rejects the URLs of its own form',
      () =>
        Object.assign(new SoundTransport(), {
          check: (url: string) => (url.endsWith('/room') ? 'There is no room.' : null),
          service: {
            id: 'probe',
            name: 'Probe',
            template: '{scheme}://{+host}/{room}',
            fields: ['host', 'room'].map((name) => ({
              name,
              label: name,
              kind: 'text' as const,
              required: true,
              help: name,
              example: name,
            })),
          },
        }),
      ['names its schemes, and the URL has one of them'],
    ],
    [
      'retries on its own',
      () => new StubbornTransport(),
      ['an answer of 500 is a retryable failure', 'an answer of 400 is a permanent failure'],
    ],
    [
      'ignores an abort',
      () => new DeafTransport(),
      ['a request to a hanging receiver ends as soon as the caller aborts it'],
    ],
    [
      'starts before it checks for an abort',
      () => new EagerTransport(),
      ['a message that was aborted before the start is not sent'],
    ],
    [
      'reports a missing response as permanent',
      () => new HopelessTransport(),
      [
        'an unreachable receiver is a retryable failure, and it may come back',
        'a connection that closes without an answer is a retryable failure',
        'a connection that closes in the middle of the answer is a retryable failure',
        'an answer that is not HTTP is a retryable failure',
      ],
    ],
    [
      'reports every rejection as retryable',
      () => new HopefulTransport(),
      ['an answer of 400 is a permanent failure'],
    ],
    [
      'reads every response to its end',
      () => new GreedyTransport(),
      [
        'an answer of a gibibyte is not read completely',
        'an error answer of a gibibyte is not read completely',
      ],
    ],
    [
      'names the service URL in its errors',
      () => new TalkativeTransport(),
      [
        'no secret is in the error after an answer of 500 that repeats the request',
        'no secret is in the error after an answer of 400 that repeats the request',
      ],
    ],
    [
      'repeats secrets from a response',
      () => new RepeatingTransport(),
      [
        'no secret is in the error after an answer of 500 that repeats the request',
        'no secret is in the error after an answer of 400 that repeats the request',
      ],
    ],
    ['cuts long bodies', () => new CuttingTransport(), ['a long body arrives complete']],
    [
      'sends Latin-1 only',
      () => new WesternTransport(),
      ['letters of all languages, quotes and line breaks arrive'],
    ],
    [
      'omits the body',
      () => new MuteTransport(),
      [
        'a message arrives once, with its title and body',
        'letters of all languages, quotes and line breaks arrive',
        'a long body arrives complete',
        'messages that are sent in parallel arrive once each',
        'an unreachable receiver is a retryable failure, and it may come back',
      ],
    ],
    [
      'mixes up messages',
      () => new MixingTransport(),
      ['messages that are sent in parallel arrive once each'],
    ],
    ['has no time for a slow receiver', () => new HastyTransport(), ['waits for a slow receiver']],
    [
      'fails for good after one failure',
      () => new OffendedTransport(),
      ['an unreachable receiver is a retryable failure, and it may come back'],
    ],
    ['follows redirects without a limit', () => new TirelessTransport(), ['a loop of redirects ends']],
    [
      'sends twice',
      () => new DoublingTransport(),
      [
        'a message arrives once, with its title and body',
        'every type of message is accepted',
        'messages that are sent in parallel arrive once each',
        'waits for a slow receiver',
        'an answer of 500 is a retryable failure',
        'an answer of 400 is a permanent failure',
      ],
    ],
  ])('finds the transport that %s', async (_, make, broken) => {
    expect(await brokenBy(make)).toEqual(broken);
  });

  it.each<[string, (target: string) => string]>([
    ['the token of its configuration', () => 'Bearer a token'],
    ['the address that it asked', (target) => target],
    ['the path that it asked', (target) => new URL(target).pathname],
  ])('finds the transport that reveals %s, with the documented settings', async (_, words) => {
    const plugin = definePlugin({
      kind: 'notify',
      configuration: z.object({ token: z.string().describe('secret') }),
      create: () => new TokenTellingTransport(words),
    });
    const suite = notifierSuite({
      plugin,
      urlFor: ({ host }) => `probe://${host}/room`,
      configurationFor: () => ({ token: 'a token' }),
    });
    const judged = suite.filter(({ name }) => /no secret .* after an answer of [45]00/.test(name));
    expect(judged).toHaveLength(2);
    for (const { run } of judged) await expect(run()).rejects.toThrow('contains a secret');
  });

  it('finds the transport that does not stop', async () => {
    const names = await brokenBy(() => new ClingingTransport());
    expect(names).toContain('a message arrives once, with its title and body');
  });
});
