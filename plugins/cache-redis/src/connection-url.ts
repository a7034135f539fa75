/** Address and credentials of a Redis server. */
export interface RedisAddress {
  place: { host: string; port: number } | { path: string };
  tls: boolean;
  /** If false, any certificate is accepted. */
  verify: boolean;
  /** File of the authority that signed the server's certificate. */
  authority: string | undefined;
  username: string | undefined;
  password: string | undefined;
  database: number;
}

const tcpSchemes = ['redis:', 'rediss:'];
const socketSchemes = ['unix:', 'redis+unix:', 'redis+socket:'];
const knownOptions = ['db', 'ssl_cert_reqs', 'ssl_ca_certs'];
const example =
  'redis://host:6379/0, redis://:password@host:6379/0, rediss://host:6379/0 or unix:///run/redis.sock?db=0';

/** Parses a URL in one of the known forms. Throws an Error with one sentence that has no secrets of the URL. */
export function parseRedisUrl(text: string): RedisAddress {
  if (!URL.canParse(text)) throw new Error(`The cache URL is not valid. Write it as ${example}.`);
  const url = new URL(text);
  const isSocket = socketSchemes.includes(url.protocol);
  if (!isSocket && !tcpSchemes.includes(url.protocol)) {
    throw new Error(`The cache URL begins with ${url.protocol}, which is not supported. Write ${example}.`);
  }
  rejectUnknownOptions(url);
  const place = isSocket ? socketOf(url) : hostOf(url);
  return {
    place,
    tls: url.protocol === 'rediss:',
    verify: verifies(url),
    authority: url.searchParams.get('ssl_ca_certs') ?? undefined,
    username: decoded(url.username, 'user name'),
    password: decoded(url.password, 'password'),
    database: databaseOf(url, isSocket),
  };
}

/** The address without secrets, for messages. */
export function describeAddress({ place, tls, database }: RedisAddress): string {
  if ('path' in place) return `unix://${place.path}?db=${database}`;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return `${tls ? 'rediss' : 'redis'}://${host}:${place.port}/${database}`;
}

function rejectUnknownOptions(url: URL): void {
  const unknown = [...url.searchParams.keys()].find((name) => !knownOptions.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `The cache URL has the unknown option ${unknown}. Known options are ${knownOptions.join(', ')}.`,
  );
}

function socketOf(url: URL): RedisAddress['place'] {
  const path = decoded(url.pathname, 'path') ?? '';
  if (url.hostname !== '' || path.length < 2) {
    throw new Error('The cache URL names no socket. Write unix:///run/redis.sock?db=0.');
  }
  return { path };
}

function hostOf(url: URL): RedisAddress['place'] {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new Error(`The cache URL names no host. Write ${example}.`);
  return { host, port: url.port === '' ? 6379 : Number(url.port) };
}

function verifies(url: URL): boolean {
  const value = url.searchParams.get('ssl_cert_reqs') ?? 'required';
  if (value !== 'required' && value !== 'none') {
    throw new Error('ssl_cert_reqs in the cache URL must be required or none.');
  }
  return value === 'required';
}

function databaseOf(url: URL, isSocket: boolean): number {
  const inPath = isSocket ? '' : url.pathname.replace(/^\//, '');
  const text = url.searchParams.get('db') ?? (inPath || '0');
  if (!/^\d{1,4}$/.test(text)) {
    throw new Error('The database in the cache URL must be a number from 0 to 9999.');
  }
  return Number(text);
}

function decoded(part: string, what: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`The ${what} in the cache URL is not percent-encoded correctly.`);
  }
}
