/** Schemes that act on the machine of the Apprise server, where nobody looks. */
const localSchemes = ['blink1', 'dbus', 'gio', 'glib', 'gnome', 'kde', 'macosx', 'qt', 'syslog', 'windows'];

/** What can be said without the server, which alone knows the services. */
export function faultOfServiceUrl(url: string): string | null {
  const scheme = /^([a-z0-9]{1,32}):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'The URL has no scheme that Apprise could know.';
  if (localSchemes.includes(scheme))
    return `${scheme}:// shows messages on the machine of the Apprise server only.`;
  return null;
}

/**
 * One URL stays one: the server splits its list of them at commas and blanks, and at semicolons before a scheme. It
 * reads what is percent-encoded as it was meant.
 */
export const asOneUrl = (url: string): string =>
  url
    .replace(/,/g, '%2C')
    .replace(/\s/g, (blank) => encodeURIComponent(blank))
    .replace(/;(?=[a-z0-9]{1,32}:\/\/)/gi, '%3B');

/** What an error text must not repeat of a service URL, as written and as meant: any part of it may be a token. */
export function partsOf(url: string): string[] {
  const parts = [url, asOneUrl(url), ...url.slice(url.indexOf('://') + 3).split(/[/:@?&=#]/)];
  return parts.flatMap((part) => [part, meant(part)]).filter((part) => part.length >= 6);
}

/** Longest first: one may be part of another. */
export const without = (secrets: readonly string[], text: string): string =>
  [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);

function meant(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
