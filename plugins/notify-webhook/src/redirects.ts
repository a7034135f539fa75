import { DeliveryError } from '@holdfast/plugin-api';
import type { Dispatcher } from 'undici';

/**
 * Where a redirected message goes next, or null when the answer is none. The message is sent again as it is: with
 * 303 the receiver wants to be asked for something else instead, which would lose it.
 */
export function nextHop({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | null {
  if (![301, 302, 307, 308].includes(statusCode)) return null;
  const location = [headers.location].flat()[0];
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw refused(from, `redirects (${statusCode}) without saying where to`);
  }
  const to = new URL(location, from);
  if (!['http:', 'https:'].includes(to.protocol))
    throw refused(from, 'redirects to something that is no HTTP');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw refused(from, 'redirects to a connection without TLS');
  }
  to.username = '';
  to.password = '';
  return to;
}

const refused = ({ host }: URL, what: string) => new DeliveryError(`${host} ${what}.`, { retryable: true });

/** Secrets go on to the same host only; from http to https of it on their usual ports is no other place. */
export function isSamePlace(one: URL, other: URL): boolean {
  const upgraded = one.protocol === 'http:' && other.protocol === 'https:' && one.port === other.port;
  return one.hostname === other.hostname && (one.origin === other.origin || (upgraded && one.port === ''));
}
