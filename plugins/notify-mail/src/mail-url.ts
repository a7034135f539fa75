import { isIP } from 'node:net';
import { readServiceUrl, type ServiceUrl, ServiceUrlError } from '@holdfast/notify-transport';

/** What a service URL says about mail. */
export interface MailRoute {
  host: string;
  port: number | undefined;
  /** `opportunistic`: STARTTLS if the server offers it. */
  encryption: Encryption;
  user: string;
  password: string;
  from: { name: string; address: string };
  to: string[];
  cc: string[];
  bcc: string[];
  verifyCertificate: boolean;
  /** The host is the domain of a mail address, which may have a server of another name. */
  isDomain: boolean;
  secrets: string[];
}
type Encryption = 'tls' | 'starttls' | 'opportunistic' | 'none';

const modes: Record<string, Encryption> = { ssl: 'tls', tls: 'tls', starttls: 'starttls', insecure: 'none' };

/**
 * Reads `mailtos://user:password@host:port/recipient?from=…&to=…`, as Apprise does.
 * @throws ServiceUrlError
 */
export function readMailUrl(text: string): MailRoute {
  const url = readServiceUrl(text);
  const { query } = url;
  const [, domain = '', urlPort] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(url.host) ?? [];
  if (domain === '')
    throw new ServiceUrlError('The URL names no mail server: write mailtos://user:password@host.');
  const port = portOf(urlPort ?? query.port);
  const user = query.user || url.user;
  const password = query.pass || url.password;
  const from = senderOf(url, { user, domain });
  const to = addressesIn([query.to ?? '', ...url.path]);
  return {
    host: (query.smtp || domain).replace(/^\[|\]$/g, ''),
    port,
    user,
    password,
    from,
    encryption: encryptionOf(url, { port, password }),
    to: to.length > 0 ? to : [from.address],
    cc: addressesIn([query.cc ?? '']),
    bcc: addressesIn([query.bcc ?? '']),
    verifyCertificate: url.verifyCertificate,
    isDomain: url.scheme.startsWith('mailto') && port === undefined && !query.smtp && isIP(domain) === 0,
    secrets: url.secrets,
  };
}

function portOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new ServiceUrlError('The port in the URL must be a number from 1 to 65535.');
}

/** A password is never sent without encryption unless the URL says so. */
function encryptionOf(
  { scheme, query }: ServiceUrl,
  { port, password }: { port: number | undefined; password: string },
): Encryption {
  const mode = query.mode?.toLowerCase() ?? '';
  if (mode !== '') {
    const encryption = modes[mode];
    if (encryption !== undefined) return encryption;
    throw new ServiceUrlError('The mode in the URL must be starttls, ssl or insecure.');
  }
  if (scheme === 'smtps' || port === 465) return 'tls';
  return scheme === 'mailtos' || password !== '' ? 'starttls' : 'opportunistic';
}

/** `from` is an address, a name, or both: `Name <address>`. */
function senderOf({ query }: ServiceUrl, { user, domain }: { user: string; domain: string }) {
  const given = query.from ?? '';
  const [, before = '', address = ''] = /^(?:(.*?)\s*<)?([^\s<>]+@[^\s<>]+?)>?$/.exec(given) ?? [];
  const own = user.includes('@') || user === '' ? user : `${user}@${domain}`;
  const name = query.name || before || (address === '' ? given : '') || 'Holdfast';
  if (address === '' && own === '') {
    throw new ServiceUrlError('The URL names no sender: add from= with a mail address.');
  }
  return { name, address: checked(address || own) };
}

const addressesIn = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(/[,;\s]+/))
    .filter((address) => address !== '')
    .map(checked);

function checked(address: string): string {
  if (/^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/.test(address)) return address;
  throw new ServiceUrlError('The URL contains a mail address that is not valid: write name@host.');
}
