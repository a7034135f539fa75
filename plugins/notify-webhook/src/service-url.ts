import { validateHeaderName, validateHeaderValue } from 'node:http';
import { decoded, httpTarget, isOn, ServiceUrlError, splitOnce } from '@holdfast/notify-transport';

/** A service URL of the scheme `json` or `jsons`, taken apart. */
export interface Webhook {
  /** http or https, with the query to send and without credentials. */
  target: URL;
  method: string;
  headers: Record<string, string>;
  /** Additional fields for the body, or new names for its own. */
  fields: Record<string, string>;
  user: string;
  password: string;
  verifyCertificate: boolean;
  followRedirects: boolean;
  /** Milliseconds. */
  connectTimeout: number;
  answerTimeout: number;
}

const methods = ['POST', 'GET', 'DELETE', 'PUT', 'HEAD', 'PATCH', 'UPDATE', 'OPTIONS'];
/** These belong to the connection: the client sets them. */
const reservedHeaders = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];
const defaultConnectTimeout = 10_000;
const defaultAnswerTimeout = 20_000;

/**
 * Parses `json://user:password@host:port/path?+Header=value&-query=value&:field=value&method=PUT` as Apprise does:
 * names with a leading sign belong to the request, and other unknown names are ignored.
 * @throws ServiceUrlError
 */
export function readServiceUrl(text: string): Webhook {
  const match = /^(json|jsons):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/is.exec(text);
  if (!match) throw new ServiceUrlError('The URL does not begin with json:// or jsons://.');
  const [, scheme = '', authority = '', path = '', query = ''] = match;
  const at = authority.lastIndexOf('@');
  const [user = '', password = ''] = splitOnce(authority.slice(0, Math.max(at, 0)), ':').map(decoded);
  const options = readQuery(query);
  const target = httpTarget(scheme.toLowerCase() === 'jsons', authority.slice(at + 1), path);
  for (const [name, value] of Object.entries(options.parameters)) target.searchParams.append(name, value);
  return {
    target,
    method: methodOf(options.plain.method),
    headers: checkHeaders(options.headers),
    fields: options.fields,
    user,
    password,
    verifyCertificate: isOn(options.plain.verify),
    followRedirects: isOn(options.plain.redirect),
    connectTimeout: milliseconds(options.plain.cto, defaultConnectTimeout),
    answerTimeout: milliseconds(options.plain.rto, defaultAnswerTimeout),
  };
}

interface Query {
  plain: Record<string, string>;
  headers: Record<string, string>;
  parameters: Record<string, string>;
  fields: Record<string, string>;
}

/** A plus sign in a value stays a plus sign: passwords and tokens often contain it. */
function readQuery(query: string): Query {
  const read: Query = { plain: {}, headers: {}, parameters: {}, fields: {} };
  const places: Record<string, Record<string, string>> = {
    '+': read.headers,
    ' ': read.headers,
    '-': read.parameters,
    ':': read.fields,
  };
  for (const pair of query.split(/[&;]/)) {
    const [rawName = '', rawValue = ''] = splitOnce(pair, '=');
    const name = decoded(rawName);
    const value = decoded(rawValue).trim();
    const place = places[name.charAt(0)];
    if (place === undefined) read.plain[name.toLowerCase()] = value;
    else if (name.length > 1) place[name.slice(1)] = value;
  }
  return read;
}

function methodOf(method = 'POST'): string {
  const name = method.toUpperCase() || 'POST';
  if (methods.includes(name)) return name;
  throw new ServiceUrlError(`The method in the URL must be one of ${methods.join(', ')}.`);
}

function checkHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new ServiceUrlError('The URL has a +header with a name or value that HTTP does not allow.');
    }
    if (reservedHeaders.includes(name.toLowerCase())) {
      throw new ServiceUrlError(`The URL sets the header ${name}, which is reserved for the connection.`);
    }
  }
  return headers;
}

/** Converts a timeout from seconds and limits it to 0.1 to 60 seconds. */
function milliseconds(text: string | undefined, otherwise: number): number {
  const seconds = Number(text);
  if (!text || !(seconds > 0)) return otherwise;
  return Math.round(Math.min(Math.max(seconds, 0.1), 60) * 1000);
}
