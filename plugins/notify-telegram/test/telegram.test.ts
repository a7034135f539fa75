import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.telegram };
const token = fakes.telegram.token;

describe('Telegram', () => {
  commonCases(parts, {
    wrongToken: '987654321:AAwrong-4711',
    sentence: /^Telegram rejected the bot token\. Create a new one with @BotFather and update the URL\.$/,
  });

  it('gets plain text without markup from names', () =>
    onService(parts, async ({ sent }) => {
      const { body } = await sent(undefined, { title: 'T', body: '<b>*x* [a](https://x.test) @everyone' });
      expect(JSON.parse(body)).toEqual({
        chat_id: '-1001234567890',
        text: 'T\n\n<b>*x* [a](https://x.test) @everyone',
        link_preview_options: { is_disabled: true },
      });
    }));

  it('writes to a topic, without sound', () =>
    onService(parts, async ({ sent }) => {
      const url = `tgram://bot${token.replace(':', '%3A')}/-1001234567890:42/?silent=yes`;
      expect(JSON.parse((await sent(url)).body)).toMatchObject({
        message_thread_id: 42,
        disable_notification: true,
      });
      const other = `tgram://${token}/-1001234567890?topic=43`;
      expect(JSON.parse((await sent(other)).body)).toMatchObject({ message_thread_id: 43 });
    }));

  it('suggests a fix for an unknown chat', () =>
    onService(parts, async ({ refused }) => {
      expect(await refused(`tgram://${token}/4711`)).toMatchObject({
        retryable: false,
        message: expect.stringMatching(/^Telegram does not know the chat\. Send the bot a message/),
      });
    }));

  it('suggests a fix if the bot was removed', () =>
    onService(parts, async ({ sink, refused }) => {
      const answer = {
        ok: false,
        error_code: 403,
        description: 'Forbidden: bot was kicked from the group chat',
      };
      sink.answer = (response) => void response.writeHead(403).end(JSON.stringify(answer));
      expect((await refused()).message).toMatch(
        /bot was kicked from the group chat.*Add the bot to the chat again/,
      );
    }));

  it.each([
    ['tgram://token/chat', /has no bot token/],
    [`tgram://${token}`, /names no chat/],
    [`tgram://${token}/1/2`, /several chats: create one channel for each/],
    [`tgram://${token}/%0A1`, /control character/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
