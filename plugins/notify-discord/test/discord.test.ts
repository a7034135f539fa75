import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.discord };
const { token } = fakes.discord;

describe('Discord', () => {
  commonCases(parts, {
    wrongToken: 'wrong-4711-token',
    sentence:
      /^Discord rejected the webhook \(Invalid Webhook Token\)\. Create a new one .* update the URL\.$/,
  });

  it('gets an embed without markup or mentions from names', () =>
    onService(parts, async ({ sent }) => {
      const { body } = await sent(undefined, {
        title: '*x* [a](https://x.test)',
        body: '```\n@everyone [a](https://x.test)',
      });
      expect(JSON.parse(body)).toEqual({
        embeds: [
          {
            title: '\\*x\\* \\[a\\](https://x.test)',
            description: '```\n`\u200b``\n@everyone [a](https://x.test)\n```',
            color: 0xb71c1c,
          },
        ],
        allowed_mentions: { parse: [] },
      });
    }));

  it.each([3, 4, 5, 6, 7])('%i backticks do not end the block', (count) =>
    onService(parts, async ({ sent }) => {
      const { body } = await sent(undefined, { body: '`'.repeat(count) });
      expect(JSON.parse(body).embeds[0].description.split('```')).toHaveLength(3);
    }),
  );

  it('knows the name of the bot, a thread, and the address that Discord shows', () =>
    onService(parts, async ({ sent }) => {
      const named = await sent(`discord://Backups@123456789012345678/${token}?thread=42`);
      expect(named.path).toContain('&thread_id=42');
      expect(JSON.parse(named.body)).toMatchObject({ username: 'Backups' });
      for (const host of ['discord.com', 'ptb.discord.com', 'discordapp.com']) {
        await sent(`discord://${host}/api/webhooks/123456789012345678/${token}`);
      }
      await sent(`discord://discord.com/api/v10/webhooks/123456789012345678/${token}`);
    }));

  it('reports a deleted webhook', () =>
    onService(parts, async ({ refused }) => {
      expect((await refused(`discord://4711/${token}`)).message).toMatch(
        /rejected the webhook \(Unknown Webhook\)/,
      );
    }));

  it.each([
    ['discord://name/token', /has no webhook: write discord:\/\/id\/token/],
    ['discord://123', /has no webhook/],
    [`discord://123/${token}?thread=x`, /thread in the URL must be a number/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
