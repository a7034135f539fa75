import {
  allowedNetworks,
  apiUrl,
  cut,
  type HttpService,
  httpTransport,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { definePlugin, type NotificationMessage } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';

interface Webhook {
  url: string;
  botName: string;
}

const longestTitle = 256;
const longestDescription = 4_096;
const colours: Record<NotificationMessage['type'], number> = {
  info: 0x1565c0,
  success: 0x2e7d32,
  warning: 0xb26a00,
  failure: 0xb71c1c,
};

/** A webhook of a Discord channel. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ apiUrl: apiUrl('https://discord.com'), allowedNetworks }),
  create: ({ configuration }) => httpTransport(discord(configuration.apiUrl), configuration),
});

const discord = (apiUrl: string): HttpService<Webhook> => ({
  schemes: ['discord'],
  service: form,
  read({ host, path, user, query }) {
    // `discord://discord.com/api/webhooks/…` is the address that Discord shows, with another scheme.
    const shown = /^(\w+\.)?discord(app)?\.com$/i.test(host) && path[0] === 'api';
    const [id = '', token = ''] = shown ? path.slice(path.indexOf('webhooks') + 1) : [host, ...path];
    if (!/^\d+$/.test(id) || !/^[\w-]+$/.test(token)) {
      throw new ServiceUrlError(
        'The URL has no webhook: write discord://id/token, the last two parts of its address.',
      );
    }
    const thread = query.thread ?? query.thread_id ?? '';
    if (!/^\d*$/.test(thread)) throw new ServiceUrlError('The thread in the URL must be a number.');
    const options = `wait=true${thread === '' ? '' : `&thread_id=${thread}`}`;
    return { url: `${apiUrl}/api/webhooks/${id}/${token}?${options}`, botName: user };
  },
  requestOf: ({ botName }, { title, body, type }) => ({
    body: {
      ...(botName !== '' && { username: cut(botName, 80) }),
      embeds: [
        {
          title: cut(unmarked(title), longestTitle),
          description: quoted(body),
          color: colours[type],
        },
      ],
      allowed_mentions: { parse: [] },
    },
  }),
  advise: (status, reason) =>
    status === 401 || status === 403 || status === 404
      ? `Discord rejected the webhook (${reason || status}). Create a new one in the settings of the channel, under Integrations, and update the URL.`
      : null,
});

/** Names must not become links or emphasis. */
const unmarked = (text: string) => text.replace(/[\\*_~`|[\]]/g, '\\$&');

/** In a block of code, Discord reads nothing as markup; a zero-width space keeps the text from ending the block. */
function quoted(text: string): string {
  const fence = '```';
  const inside = text.replaceAll('``', '`\u200b`');
  return `${fence}\n${cut(inside, longestDescription - 2 * fence.length - 2)}\n${fence}`;
}
