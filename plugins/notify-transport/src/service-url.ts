/** A service URL that can't be used. The message is one sentence without secrets. */
export class ServiceUrlError extends Error {
  override readonly name = 'ServiceUrlError';
}

/** A service URL, taken apart. All parts but the host are percent-decoded. */
export interface ServiceUrl {
  /** Lower case. */
  scheme: string;
  user: string;
  password: string;
  /** As written: a host with its port, or a token in its place. */
  host: string;
  /** The parts that are not empty. */
  path: string[];
  fragment: string;
  /** By lower-case name. */
  query: Record<string, string>;
  /** False with `verify=no`. */
  verifyCertificate: boolean;
  /** What an error must not repeat, longest first. */
  secrets: string[];
}

/**
 * Reads `scheme://user:password@host/path?name=value#fragment`. It is no URL by the standard: a token may stand where a
 * host does.
 * @throws ServiceUrlError
 */
export function readServiceUrl(text: string): ServiceUrl {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text);
  if (!match) throw new ServiceUrlError('The URL does not begin with a scheme, such as json://.');
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = match;
  if (/\p{Cc}|%(?:[01][0-9a-f]|7f)/iu.test(text)) {
    throw new ServiceUrlError('The URL contains a control character, such as %0A: remove it.');
  }
  // Slack names channels so, and says what to do instead.
  if (fragment !== '' && !/^slack$/i.test(scheme))
    throw new ServiceUrlError('The URL contains a #, which cuts off the rest: write it as %23.');
  const at = authority.lastIndexOf('@');
  const [user = '', password = ''] = splitOnce(authority.slice(0, Math.max(at, 0)), ':').map(decoded);
  // A form may have encoded the colon before a port.
  const host = authority.slice(at + 1).replace(/%3A/gi, ':');
  const values = valuesOf(query);
  const parts = path.split('/').filter((part) => part !== '');
  return {
    scheme: scheme.toLowerCase(),
    user,
    password,
    host,
    query: values,
    path: parts.map(decoded),
    fragment: decoded(fragment),
    verifyCertificate: isOn(values.verify),
    secrets: secretsOf({
      text,
      user,
      password,
      parts: [host, ...host.split(':'), path, ...parts, ...query.split(/[&=,;]/)],
    }),
  };
}

/** A plus sign stays a plus sign: passwords and tokens often contain it. */
const valuesOf = (query: string): Record<string, string> =>
  Object.fromEntries(
    query
      .split('&')
      .map((pair) => splitOnce(pair, '=').map(decoded))
      .map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]),
  );

interface Revealing {
  text: string;
  user: string;
  password: string;
  parts: readonly string[];
}

/** Shorter parts may be ordinary words; a password is masked all the same. */
const shortest = 6;

function secretsOf({ text, user, password, parts }: Revealing): string[] {
  const whole = [text, text.slice(text.indexOf('://') + 3)];
  const login = user === '' && password === '' ? [] : [base64(`${user}:${password}`)];
  const long = [user, ...parts]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= shortest);
  const own = [password, encodeURIComponent(password)].filter((part) => part.length >= 3);
  return [...new Set([...whole, ...login, ...long, ...own])].sort((a, b) => b.length - a.length);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** `Authorization` for a user and a password. */
export const basic = (user: string, password: string): string => `Basic ${base64(`${user}:${password}`)}`;

/**
 * The HTTP address behind the host of a service URL.
 * @throws ServiceUrlError
 */
export function httpTarget(isSecure: boolean, host: string, path: string): URL {
  if (host === '') throw new ServiceUrlError('The URL names no host.');
  if (host.endsWith(':')) {
    throw new ServiceUrlError(
      'The URL has a colon but no port after its host; note that its scheme replaces http://.',
    );
  }
  const text = `${isSecure ? 'https' : 'http'}://${host}${path}`;
  const target = URL.canParse(text) ? new URL(text) : null;
  if (target === null || target.port === '0')
    throw new ServiceUrlError('The URL has an invalid host or port.');
  return target;
}

export const isOn = (word = 'yes'): boolean => !/^(0+|-|n|no|f|false|off|deny|never|disabled?)$/i.test(word);

export function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + at.length)];
}

/** A percent sign that does not begin a character stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
