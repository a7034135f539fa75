/** The running service, as commands reach it. */
import {
  answer as answerOf,
  type HoldfastClient,
  HoldfastError,
  makeClient,
  type Reply,
} from '@holdfast/client';
import { askSecret } from './ask.js';
import { CommandError } from './errors.js';

export { askSecret } from './ask.js';

export interface ServiceOptions {
  url?: string;
}

interface ConnectOptions {
  /** Also reads the token from standard input, if it is not a terminal. */
  readsToken?: boolean;
  /** One attempt of at most as many seconds. */
  within?: number;
}

/** Uses the address in `--url` or `HOLDFAST_URL`, or that of a service with this environment. */
export async function connect(
  { url }: ServiceOptions,
  { readsToken = false, within }: ConnectOptions = {},
): Promise<HoldfastClient> {
  const baseUrl = baseOf(url);
  const given = process.env.HOLDFAST_TOKEN?.trim();
  if (!given && !readsToken && !process.stdin.isTTY)
    throw new CommandError('HOLDFAST_TOKEN is not set. Set it to an API token.');
  const token = given || (await askSecret('API token', { twice: false }));
  // Nothing that this command starts needs it.
  delete process.env.HOLDFAST_TOKEN;
  const giveUp = new AbortController();
  // Unlike the timer of AbortSignal.timeout, this one keeps the process alive.
  if (within !== undefined) setTimeout(() => giveUp.abort(new Error('timeout')), within * 1000);
  return makeClient({
    baseUrl,
    token: () => token,
    attempts: within === undefined ? undefined : 1,
    fetch: (request) =>
      fetch(request, within === undefined ? undefined : { signal: giveUp.signal }).catch((error: Error) => {
        const { code, message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
        throw new CommandError(
          `Holdfast does not respond at ${baseUrl} (${code ?? message}): start it, or set --url.`,
        );
      }),
  });
}

/** @throws CommandError for every other answer, and for none */
export const answer = <Data>(call: Promise<Reply<Data>>): Promise<Data> => answerOf(call).catch(rethrow);

export function rethrow(error: unknown): never {
  if (!(error instanceof HoldfastError)) throw error;
  if (error.cause instanceof CommandError) throw error.cause;
  throw new CommandError(error.detail);
}

function baseOf(option: string | undefined): string {
  const url = option ?? (process.env.HOLDFAST_URL?.trim() || undefined);
  if (url !== undefined) {
    if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
    const name = option === undefined ? 'HOLDFAST_URL' : '--url';
    throw new CommandError(`${name} must be an address such as https://backup.example.org.`);
  }
  const { HOST = '127.0.0.1', PORT = '8081', BASE_PATH = '' } = process.env;
  // A service that listens on all addresses is reached through the loopback address.
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}${BASE_PATH.replace(/\/+$/, '')}`;
}
