import {
  allowedNetworks,
  apiUrl,
  cut,
  type HttpService,
  httpTransport,
  priorityIn,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';

interface Recipient {
  url: string;
  token: string;
  user: string;
  devices: string;
  sound: string;
  priority: number | undefined;
}

const longestTitle = 250;
const longestMessage = 1_024;
const levels = { lowest: -2, highest: 2, names: ['lowest', 'low', 'normal', 'high', 'emergency'] };
/** An emergency is repeated until somebody confirms it: each minute, for an hour. Seconds. */
const emergency = { retry: '60', expire: '3600' };

/** A user or a group of Pushover. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ apiUrl: apiUrl('https://api.pushover.net'), allowedNetworks }),
  create: ({ configuration }) => httpTransport(pushover(configuration.apiUrl), configuration),
});

const pushover = (apiUrl: string): HttpService<Recipient> => ({
  schemes: ['pover'],
  service: form,
  read(url) {
    const { user, host: token, path, query } = url;
    if (![user, token].every((part) => /^[a-z0-9]+$/i.test(part))) {
      throw new ServiceUrlError('The URL has no user key or application token: write pover://user@token.');
    }
    const priority = priorityIn(url, levels);
    return {
      url: `${apiUrl}/1/messages.json`,
      token,
      user,
      devices: path.join(','),
      sound: query.sound ?? '',
      priority,
    };
  },
  requestOf: ({ token, user, devices, sound, priority }, { title, body, type }) => {
    const level = priority ?? (type === 'failure' ? 1 : 0);
    const texts = { title: cut(title, longestTitle), message: cut(body || title, longestMessage) };
    return {
      body: new URLSearchParams({
        token,
        user,
        ...texts,
        priority: String(level),
        ...(level === 2 && emergency),
        ...(devices !== '' && { device: devices }),
        ...(sound !== '' && { sound }),
      }),
    };
  },
  advise(_, reason) {
    if (/application token/i.test(reason)) {
      return 'Pushover rejected the application token. Copy the API token of your application from pushover.net/apps and update the URL.';
    }
    if (!/user (key|identifier)|user is/i.test(reason)) return null;
    return 'Pushover rejected the user key. Copy it from your page at pushover.net and update the URL.';
  },
});
