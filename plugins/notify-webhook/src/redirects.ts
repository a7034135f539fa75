import { DeliveryError } from '@holdfast/plugin-api';
import type { Dispatcher } from 'undici';

/**
 * Where a redirected message goes next, or null if the answer is not a redirect. The message is sent again unchanged.
 * 303 does not count: the receiver wants another request instead, which would lose the message.
 */
export function nextHop({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | null {
  if (![301, 302, 307, 308].includes(statusCode)) return null;
  const location = [headers.location].flat()[0];
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw badRedirect(from, `redirects (${statusCode}) without a valid location`);
  }
  const to = new URL(location, from);
  if (!['http:', 'https:'].includes(to.protocol))
    throw badRedirect(from, 'redirects to a URL that is not HTTP');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw badRedirect(from, 'redirects to a connection without TLS');
  }
  to.username = '';
  to.password = '';
  return to;
}

const badRedirect = ({ host }: URL, what: string) =>
  new DeliveryError(`${host} ${what}.`, { retryable: true });

/** Secrets are sent on only to the same host. From http to https on their usual ports counts as the same. */
export function isSamePlace(one: URL, other: URL): boolean {
  const upgraded = one.protocol === 'http:' && other.protocol === 'https:' && one.port === other.port;
  return one.hostname === other.hostname && (one.origin === other.origin || (upgraded && one.port === ''));
}
