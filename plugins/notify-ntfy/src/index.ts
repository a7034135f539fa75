import {
  allowedNetworks,
  apiUrl,
  basic,
  bytes,
  cut,
  type HttpService,
  httpTarget,
  httpTransport,
  priorityIn,
  type ServiceUrl,
  ServiceUrlError,
} from '@holdfast/notify-transport';
import { definePlugin, type NotificationMessage } from '@holdfast/plugin-api';
import { z } from 'zod';
import { form } from './form.js';

interface Topic {
  url: string;
  topic: string;
  authorization: Record<string, string>;
  priority: number | undefined;
}

/** Longer messages would arrive as a file. */
const longestMessage = 4_096;
const longestTitle = 250;
const levels = { lowest: 1, highest: 5, names: ['min', 'low', 'default', 'high', 'max'] };
const priorities: Record<NotificationMessage['type'], number> = {
  info: 3,
  success: 3,
  warning: 4,
  failure: 4,
};

/** A topic of an ntfy server, or of ntfy.sh if the URL names none. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ apiUrl: apiUrl('https://ntfy.sh'), allowedNetworks }),
  create: ({ configuration }) => httpTransport(ntfy(configuration.apiUrl), configuration),
});

const ntfy = (publicUrl: string): HttpService<Topic> => ({
  schemes: ['ntfys', 'ntfy'],
  service: form,
  read(url) {
    const isPublic = url.path.length === 0 || /^ntfy\.sh$/i.test(url.host);
    const [topic = '', ...others] = url.path.length === 0 ? [url.host] : url.path;
    if (others.length > 0) {
      throw new ServiceUrlError('The URL names several topics: create one channel for each.');
    }
    if (!/^[\w-]{1,64}$/.test(topic)) {
      throw new ServiceUrlError('The topic in the URL must have up to 64 letters, digits, _ and -.');
    }
    const place = isPublic ? `${publicUrl}/` : httpTarget(url.scheme === 'ntfys', url.host, '/').href;
    return { url: place, topic, authorization: authorizationOf(url), priority: priorityIn(url, levels) };
  },
  requestOf: ({ topic, authorization, priority }, { title, body, type }) => ({
    headers: authorization,
    body: {
      topic,
      title: cut(title, longestTitle),
      message: cut(body || title, longestMessage, bytes),
      priority: priority ?? priorities[type],
    },
  }),
  // A proxy says 404 while the server behind it is down.
  temporary: [404],
  advise(status) {
    if (status === 401)
      return 'ntfy rejected the access token or the password. Create a new token in your account and update the URL.';
    if (status !== 403) return null;
    return 'ntfy does not let this URL write to its topic. Put an access token with write access into the URL, or use another topic.';
  },
});

/** A token begins with tk_ wherever it stands, unless `token` names it. */
function authorizationOf({ user, password, query }: ServiceUrl): Record<string, string> {
  const token =
    query.token ||
    [user, password].find((part) => part.startsWith('tk_')) ||
    (query.auth === 'token' && user);
  if (token) return { authorization: `Bearer ${token}` };
  return user === '' && password === '' ? {} : { authorization: basic(user, password) };
}
