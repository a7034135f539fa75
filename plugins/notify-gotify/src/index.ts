import {
  allowedNetworks,
  type HttpService,
  httpTarget,
  httpTransport,
  priorityIn,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { definePlugin, type NotificationMessage } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';

interface Application {
  url: string;
  token: string;
  priority: number | undefined;
}

/** Apps make a sound from 4 on, and insist from 8 on. */
const priorities: Record<NotificationMessage['type'], number> = {
  info: 4,
  success: 4,
  warning: 6,
  failure: 8,
};

/** An application on a Gotify server. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ allowedNetworks }),
  create: ({ configuration }) => httpTransport(gotify, configuration),
});

const gotify: HttpService<Application> = {
  schemes: ['gotifys', 'gotify'],
  service: form,
  read(url) {
    const token = url.path.at(-1) ?? '';
    if (!/^[\w.-]+$/.test(token)) {
      throw new ServiceUrlError('The URL has no application token: write gotifys://host/token.');
    }
    const folder = url.path.slice(0, -1).map((part) => `/${encodeURIComponent(part)}`);
    const target = httpTarget(url.scheme === 'gotifys', url.host, `${folder.join('')}/message`);
    return { url: target.href, token, priority: priorityIn(url, { lowest: 0, highest: 10 }) };
  },
  requestOf: ({ token, priority }, { title, body, type }) => ({
    headers: { 'x-gotify-key': token },
    body: { title, message: body || title, priority: priority ?? priorities[type] },
  }),
  // A proxy says 404 while the server behind it is down.
  temporary: [404],
  advise: (status) =>
    status === 401 || status === 403
      ? 'Gotify rejected the token. Copy the token of an application, not of a client, from its web page and update the URL.'
      : null,
};
