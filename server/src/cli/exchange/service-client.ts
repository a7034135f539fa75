import { askSecret } from '../ask.js';
import { CommandError } from '../exit.js';

export interface ServiceOptions {
  url?: string;
}

/** The running service, called with a token of an administrator. */
export interface ServiceClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** Uses the address in `--url`, or in the environment of the service. */
export async function serviceClient({ url }: ServiceOptions): Promise<ServiceClient> {
  const base = baseOf(url);
  const token = process.env.HOLDFAST_TOKEN?.trim() || (await askSecret('API token', { twice: false }));
  // Nothing that this command starts needs it.
  delete process.env.HOLDFAST_TOKEN;
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${base}${path}`, { method, headers, ...sent }).catch((error: Error) => {
      const { code } = (error.cause ?? {}) as { code?: string };
      throw new CommandError(
        `Holdfast does not respond at ${base} (${code ?? error.message}): start it, or set --url.`,
      );
    });
    const read = (await answer.json().catch(() => null)) as (T & { detail?: string }) | null;
    if (answer.ok && read !== null) return read;
    throw new CommandError(read?.detail ?? `Holdfast responded with status ${answer.status}.`);
  };
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
}

function baseOf(url: string | undefined): string {
  if (url !== undefined) {
    if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
    throw new CommandError('--url must be an address such as https://backup.example.org.');
  }
  const { HOST = '127.0.0.1', PORT = '8081', BASE_PATH = '' } = process.env;
  // A service that listens on all addresses is reached through the loopback address.
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}${BASE_PATH.replace(/\/+$/, '')}`;
}
