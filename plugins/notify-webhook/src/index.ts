import { isIP } from 'node:net';
import { DeliveryError, definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { forbiddenAddress } from './failure.js';
import { forbiddenNetworks } from './forbidden-networks.js';
import { sendWebhook } from './send-webhook.js';
import { readServiceUrl, ServiceUrlError, type Webhook } from './service-url.js';

/** JSON over HTTP to the user's own server: `json://`, or `jsons://` with TLS. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({
    /** Networks that may receive messages although they contain link-local or metadata addresses. */
    allowedNetworks: z.array(z.string()).default([]),
  }),
  create: ({ configuration }) => {
    const isForbidden = forbiddenNetworks(configuration.allowedNetworks);
    return {
      schemes: ['json', 'jsons'],
      check(url) {
        const webhook = read(url);
        if (typeof webhook === 'string') return webhook;
        const host = webhook.target.hostname.replace(/^\[|\]$/g, '');
        return isIP(host) !== 0 && isForbidden(host) ? forbiddenAddress(host, host) : null;
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
