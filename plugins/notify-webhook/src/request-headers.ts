import type { NotificationMessage } from '@holdfast/plugin-api';
import { isSamePlace } from './redirects.js';
import type { Webhook } from './service-url.js';

/** The headers of one request. Those of the service URL win, and are not sent to another host after a redirect. */
export function headersFor(webhook: Webhook, message: NotificationMessage, at: URL): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': 'Holdfast',
    'content-type': 'application/json',
    accept: '*/*',
    'idempotency-key': message.id,
    'x-holdfast-id': message.id,
  };
  if (!isSamePlace(webhook.target, at)) return headers;
  const { user, password } = webhook;
  if (user !== '' || password !== '') headers.authorization = basic(user, password);
  for (const [name, value] of Object.entries(webhook.headers)) headers[name.toLowerCase()] = value;
  return headers;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
