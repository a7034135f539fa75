import {
  allowedNetworks,
  forbiddenAddress,
  forbiddenLiteral,
  forbiddenNetworks,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { DeliveryError, definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';
import { type MailRoute, readMailUrl } from './mail-url.js';
import { sendMail } from './send-mail.js';

/** Mail by SMTP. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ allowedNetworks }),
  create: ({ configuration }) => {
    const isForbidden = forbiddenNetworks(configuration.allowedNetworks);
    return {
      schemes: ['mailtos', 'mailto', 'smtp', 'smtps'],
      service: form,
      yields: true,
      check(url) {
        const route = read(url);
        if (typeof route === 'string') return route;
        const literal = forbiddenLiteral(route.host, isForbidden);
        return literal === null ? null : forbiddenAddress(literal, literal);
      },
      async send(url, message, { signal }) {
        const route = read(url);
        if (typeof route === 'string') throw new DeliveryError(route, { retryable: false });
        await sendMail(route, message, { isForbidden, signal });
      },
    };
  },
});

/** Returns one sentence if the URL is invalid. */
function read(url: string): MailRoute | string {
  try {
    return readMailUrl(url);
  } catch (error) {
    if (error instanceof ServiceUrlError) return error.message;
    throw error;
  }
}
