/** Schemes of the notification library that act on the machine of the service itself. */
const localSchemes = new Set([
  ...['syslog', 'dbus', 'kde', 'qt', 'glib', 'gnome', 'windows', 'macosx'],
  ...['file', 'memory'],
]);
const longestServiceUrl = 4_096;

/** In small letters; null when the text has none. */
export const schemeOfServiceUrl = (url: string): string | null =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? null;

/** One sentence about why a text is no service URL at all, whatever transports there are; null when it may be one. */
export function faultOfServiceUrl(url: string): string | null {
  if (url.length > longestServiceUrl) {
    return `The service URL has ${url.length} characters; at most ${longestServiceUrl} are allowed.`;
  }
  if (/[\s\p{Cc}]/u.test(url)) {
    return 'The service URL holds blanks or control characters: write a blank as %20.';
  }
  const scheme = schemeOfServiceUrl(url);
  if (scheme === null) {
    return 'The service URL has no scheme: write, for example, json://host/path or mailto://user:password@host.';
  }
  if (localSchemes.has(scheme)) {
    return `The scheme ${scheme} acts on the machine of the service itself and is not offered.`;
  }
  const rest = url.slice(scheme.length + 3);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) {
    return `The service URL has two schemes: leave out what follows ${scheme}://, up to the host.`;
  }
  if (rest === '' || /^[/?#]/.test(rest)) return `The service URL names nothing behind ${scheme}://.`;
  if (rest === mask) return 'This is the masked form of a service URL: give the whole one, or leave it out.';
  return null;
}

const mask = '***';

/** What those see who may not see the URL. */
export const maskedServiceUrl = (scheme: string): string => `${scheme}://${mask}`;

/**
 * What must not be shown of a service URL: the whole, passwords, values of its query, and each part of it that may be
 * a token, as written and as meant.
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
  return [...new Set(secrets.flatMap((secret) => [secret, meant(secret)]))].filter(
    (text) => text.length >= 4,
  );
}

const split = (text: string, at: number): string[] => (at < 0 ? [text] : [text.slice(0, at), text.slice(at)]);

/** Long, or of letters and digits mixed: not a host, a port or a word of a path. */
const looksLikeToken = (part: string): boolean =>
  !/^[\w-]+(\.[\w-]+)+$/.test(part) &&
  (part.length >= 16 || (part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part)));

function meant(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
