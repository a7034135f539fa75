import { type Message, say } from '../../foundation/kernel/index.js';

/** Schemes of the notification library that act on the machine where the service runs. */
const localSchemes = new Set([
  ...['syslog', 'dbus', 'kde', 'qt', 'glib', 'gnome', 'windows', 'macosx'],
  ...['file', 'memory'],
]);
const longestServiceUrl = 4_096;

/** Lower case; null when the text has no scheme. */
export const schemeOfServiceUrl = (url: string): string | null =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? null;

/** `via=apprise` in the query leaves a URL to the Apprise server. */
export const isViaApprise = (url: string): boolean => /[?&]via=apprise(&|#|$)/i.test(url);

/** Why a text isn't a valid service URL for any transport, as a sentence; null when it may be one. */
export function problemOfServiceUrl(url: string): Message | null {
  if (url.length > longestServiceUrl) {
    return say`service_url_too_long: The service URL has ${{ length: url.length }} characters; at most ${{ limit: longestServiceUrl }} are allowed.`;
  }
  if (/[\s\p{Cc}]/u.test(url)) {
    return say`service_url_has_spaces: The service URL contains spaces or control characters: write a space as %20.`;
  }
  // Apprise has channels of this form: `/#general`.
  if (/[^/]#/.test(url)) {
    return say`service_url_has_hash: The service URL contains a #, which cuts off the rest: write it as %23.`;
  }
  const scheme = schemeOfServiceUrl(url);
  if (scheme === null) {
    return say`service_url_without_scheme: The service URL has no scheme: write, for example, json://host/path or mailto://user:password@host.`;
  }
  if (localSchemes.has(scheme)) {
    return say`service_url_scheme_local: The scheme ${{ scheme }} acts on the machine where Holdfast runs and is not supported.`;
  }
  const rest = url.slice(scheme.length + 3);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) {
    return say`service_url_has_two_schemes: The service URL has two schemes: remove the one after ${{ scheme }}://.`;
  }
  if (rest === '' || /^[/?#]/.test(rest))
    return say`service_url_empty: The service URL has nothing after ${{ scheme }}://.`;
  if (rest === mask)
    return say`service_url_masked: This is a masked service URL: enter the full one, or leave it out.`;
  return null;
}

const mask = '***';

/** Shown to callers who may not see the URL. */
export const maskedServiceUrl = (scheme: string): string => `${scheme}://${mask}`;

/**
 * The parts of a service URL to redact: the whole, passwords, query values, and everything that may be a
 * token, both as written and percent-decoded.
 */
export function secretsOfServiceUrl(url: string): string[] {
  const rest = url.replace(/^[^:]*:\/\//, '');
  const [place = '', query = ''] = split(rest, rest.search(/[?#]/));
  const at = place.lastIndexOf('@');
  const userInformation = at < 0 ? '' : place.slice(0, at);
  const password = split(userInformation, userInformation.indexOf(':'))[1]?.slice(1) ?? '';
  const values = query.split(/[?&#]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const parts = [...userInformation.split(':'), ...place.slice(at + 1).split(/[/:]/), ...values];
  const secrets = [url, rest, password, ...parts.filter(looksLikeToken)];
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))].filter(
    (text) => text.length >= 4,
  );
}

const split = (text: string, at: number): string[] => (at < 0 ? [text] : [text.slice(0, at), text.slice(at)]);

/** Long, or mixed letters and digits; not a host name, a port or an ordinary path segment. */
const looksLikeToken = (part: string): boolean =>
  !/^[\w-]+(\.[\w-]+)+$/.test(part) &&
  (part.length >= 16 || (part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part)));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
