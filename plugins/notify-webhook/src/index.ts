import {
  allowedNetworks,
  forbiddenAddress,
  forbiddenLiteral,
  forbiddenNetworks,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { DeliveryError, definePlugin, type NotificationService } from '@holdfast/plugin-api';
import { z } from 'zod';
import { sendWebhook } from './send-webhook.js';
import { readServiceUrl, type Webhook } from './service-url.js';

const service: NotificationService = {
  id: 'webhook',
  name: 'Webhook (JSON)',
  fields: [
    {
      name: 'host',
      label: 'Host',
      kind: 'host',
      required: true,
      example: 'hooks.example.org',
      help: 'The host of the receiver. With the scheme jsons the connection uses TLS.',
    },
    {
      name: 'path',
      label: 'Path',
      kind: 'text',
      required: false,
      example: 'backup',
      help: 'The part of its address after the host.',
    },
    {
      name: 'user',
      label: 'User',
      kind: 'text',
      required: false,
      example: 'holdfast',
      help: 'For basic authentication.',
    },
    {
      name: 'password',
      label: 'Password',
      kind: 'secret',
      required: false,
      example: 'a-password',
      help: 'For basic authentication.',
    },
    {
      name: 'verify',
      label: 'Check the certificate',
      kind: 'boolean',
      required: false,
      example: 'yes',
      help: '“No” accepts any certificate.',
    },
  ],
  template: '{scheme}://{user}:{password}@{+host}/{+path}{?verify}',
};

/** JSON over HTTP to the user's own server: `json://`, or `jsons://` with TLS. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ allowedNetworks }),
  create: ({ configuration }) => {
    const isForbidden = forbiddenNetworks(configuration.allowedNetworks);
    return {
      schemes: ['json', 'jsons'],
      service,
      check(url) {
        const webhook = read(url);
        if (typeof webhook === 'string') return webhook;
        const literal = forbiddenLiteral(webhook.target.hostname, isForbidden);
        return literal === null ? null : forbiddenAddress(literal, literal);
      },
      async send(url, message, { signal }) {
        const webhook = read(url);
        if (typeof webhook === 'string') throw new DeliveryError(webhook, { retryable: false });
        await sendWebhook(webhook, message, { isForbidden, signal });
      },
    };
  },
});

/** Returns one sentence if the URL is invalid. */
function read(url: string): Webhook | string {
  try {
    return readServiceUrl(url);
  } catch (error) {
    if (error instanceof ServiceUrlError) return error.message;
    throw error;
  }
}
