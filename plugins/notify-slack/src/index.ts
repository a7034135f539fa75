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

const longestText = 40_000;

/** An incoming webhook of Slack. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ apiUrl: apiUrl('https://hooks.slack.com'), allowedNetworks }),
  create: ({ configuration }) => httpTransport(slack(configuration.apiUrl), configuration),
});

const slack = (apiUrl: string): HttpService<{ url: string }> => ({
  schemes: ['slack'],
  service: form,
  read({ host, path, fragment }) {
    // `slack://hooks.slack.com/services/…` is the address that Slack shows, with another scheme.
    const shown = /^hooks\.slack(-gov)?\.com$/i.test(host) && path[0] === 'services';
    const [workspace = '', webhook = '', token = '', ...others] = shown ? path.slice(1) : [host, ...path];
    if (![workspace, webhook, token].every((part) => /^\w+$/.test(part))) {
      throw new ServiceUrlError(
        'The URL has no webhook: write slack://T…/B…/token, the last three parts of its address. Bot tokens are not supported.',
      );
    }
    if (others.length > 0 || fragment !== '') {
      throw new ServiceUrlError(
        'A webhook of Slack posts to its own channel: remove the channel from the URL.',
      );
    }
    return { url: `${apiUrl}/services/${workspace}/${webhook}/${token}` };
  },
  requestOf: (_, { title, body }) => ({
    body: { text: escaped(`${title}\n\n${body}`), mrkdwn: false, unfurl_links: false, unfurl_media: false },
  }),
  advise: (status, reason) =>
    [401, 403, 404, 410].includes(status) || /^(no_service|no_team|invalid_token|team_disabled)/.test(reason)
      ? `Slack rejected the webhook (${reason || status}). Add a new one to your app at api.slack.com/apps and update the URL.`
      : null,
});

/** Without these three characters, no name becomes a link or a mention such as `<!channel>`. */
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  const write = (part: string) => part.replace(/[&<>]/g, (character) => entities[character] ?? character);
  return write(cut(text, longestText, (part) => write(part).length));
}
