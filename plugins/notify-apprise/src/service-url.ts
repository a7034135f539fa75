/** Schemes that act on the machine of the Apprise server, where nobody would notice. */
const localSchemes = ['blink1', 'dbus', 'gio', 'glib', 'gnome', 'kde', 'macosx', 'qt', 'syslog', 'windows'];

/** Checks what can be checked without the server, which alone knows the services. */
export function problemOfServiceUrl(url: string): string | null {
  const scheme = /^([a-z0-9]{1,32}):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'The URL has no scheme that Apprise supports.';
  if (localSchemes.includes(scheme))
    return `${scheme}:// shows messages only on the machine of the Apprise server.`;
  return null;
}

/**
 * Keeps one URL in one piece: the server splits its list of URLs at commas and blanks, and at semicolons before a
 * scheme. It decodes percent-encoded characters.
 */
export const asOneUrl = (url: string): string =>
  url
    .replace(/,/g, '%2C')
    .replace(/\s/g, (blank) => encodeURIComponent(blank))
    .replace(/;(?=[a-z0-9]{1,32}:\/\/)/gi, '%3B');

/**
 * The parts of a service URL that an error text must not repeat, as written and decoded: any of them may be a token.
 */
export function partsOf(url: string): string[] {
  const parts = [url, asOneUrl(url), ...url.slice(url.indexOf('://') + 3).split(/[/:@?&=#]/)];
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= 6);
}

/** Longest first: one may be part of another. */
export const without = (secrets: readonly string[], text: string): string =>
  [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
