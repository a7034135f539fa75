import {
  allowedNetworks,
  apiUrl,
  cut,
  type HttpService,
  httpTransport,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';

interface Chat {
  url: string;
  chat: string;
  topic: string | undefined;
  isSilent: boolean;
}

const longestText = 4_096;

/** The `sendMessage` call of a Telegram bot. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ apiUrl: apiUrl('https://api.telegram.org'), allowedNetworks }),
  create: ({ configuration }) => httpTransport(telegram(configuration.apiUrl), configuration),
});

const telegram = (apiUrl: string): HttpService<Chat> => ({
  schemes: ['tgram'],
  service: form,
  read({ host, path: [target = '', ...others], query }) {
    const token = host.replace(/^bot/i, '');
    if (!/^\d+:[\w-]+$/.test(token)) {
      throw new ServiceUrlError('The URL has no bot token: write tgram://123456789:token/chat.');
    }
    if (others.length > 0)
      throw new ServiceUrlError('The URL names several chats: create one channel for each.');
    const [, chat, topic = query.topic ?? query.thread] =
      /^(-?\d+|@?[a-z]\w*)(?::(\d+))?$/i.exec(target) ?? [];
    if (chat === undefined) {
      throw new ServiceUrlError('The URL names no chat: write its number or its @name after the bot token.');
    }
    const isNumber = /^-?\d+$/.test(chat);
    return {
      url: `${apiUrl}/bot${token}/sendMessage`,
      chat: isNumber || chat.startsWith('@') ? chat : `@${chat}`,
      topic,
      isSilent: /^(y|yes|true|1|on)$/i.test(query.silent ?? ''),
    };
  },
  // Without a parse mode, nothing in a name is a link or a mention.
  requestOf: ({ chat, topic, isSilent }, { title, body }) => ({
    body: {
      chat_id: chat,
      text: cut(`${title}\n\n${body}`, longestText),
      link_preview_options: { is_disabled: true },
      ...(isSilent && { disable_notification: true }),
      ...(topic !== undefined && { message_thread_id: Number(topic) }),
    },
  }),
  advise(status, reason) {
    if (status === 401 || status === 404) {
      return 'Telegram rejected the bot token. Create a new one with @BotFather and update the URL.';
    }
    if (status === 403)
      return `Telegram refuses the bot in this chat: ${reason}. Add the bot to the chat again.`;
    if (!/chat not found/i.test(reason)) return null;
    return 'Telegram does not know the chat. Send the bot a message or add it to the group, and check the chat in the URL.';
  },
});
