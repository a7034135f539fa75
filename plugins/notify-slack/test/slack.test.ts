import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.slack };
const { token } = fakes.slack;

describe('Slack', () => {
  commonCases(parts, {
    wrongToken: 'wrong4711token',
    sentence:
      /^Slack rejected the webhook \(invalid_token\)\. Add a new one to your app .* update the URL\.$/,
  });

  it('gets text without links or mentions from names', () =>
    onService(parts, async ({ sent }) => {
      const { body } = await sent(undefined, { title: 'A & B', body: '<!channel> <https://x.test|here>' });
      expect(JSON.parse(body)).toEqual({
        text: 'A &amp; B\n\n&lt;!channel&gt; &lt;https://x.test|here&gt;',
        mrkdwn: false,
        unfurl_links: false,
        unfurl_media: false,
      });
    }));

  it('knows the address that Slack shows, and the name of a bot', () =>
    onService(parts, async ({ sent }) => {
      await sent(`slack://hooks.slack.com/services/T00000000/B00000000/${token}`);
      await sent(`slack://bot@T00000000/B00000000/${token}/`);
    }));

  it('reports a deleted webhook', () =>
    onService(parts, async ({ refused }) => {
      expect((await refused(`slack://T4711/B0/${token}`)).message).toMatch(
        /rejected the webhook \(no_team\)/,
      );
    }));

  it.each([
    ['slack://T1/B1', /has no webhook/],
    ['slack://xoxb-1-2-3/general', /has no webhook.*Bot tokens are not supported/],
    ['slack://T1/B1/c/general', /posts to its own channel/],
    ['slack://T1/B1/c/#general', /posts to its own channel/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
