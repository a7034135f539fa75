import { DeliveryError, limitedSignal, type NotificationMessage } from '@holdfast/plugin-api';
import { readAnswer, type Said } from './answer.js';
import { OverlappingCalls } from './overlapping-calls.js';
import { asOneUrl, partsOf, without } from './service-url.js';

export interface AppriseServer {
  /** @throws DeliveryError */
  notify(serviceUrl: string, message: NotificationMessage, signal: AbortSignal): Promise<void>;
  /** Null when the server answers. */
  health(): Promise<string | null>;
}

const healthTimeout = 2_000;
/** The message is wrong, or too large, or the server was asked by itself too often. */
const finalRefusals = [400, 406, 413, 431];

export function appriseServer(
  url: string,
  { fetch, timeout }: { fetch: typeof globalThis.fetch; timeout: number },
): AppriseServer {
  const { place, authorization } = placeOf(url);
  const calls = new OverlappingCalls();
  const own = Object.values(authorization).map((value) => value.slice('Basic '.length));

  const ask = async (path: string, request: RequestInit) => {
    try {
      return await fetch(`${place}${path}`, {
        ...request,
        redirect: 'manual',
        // Messages are rare: a connection that was kept would often be one that the server has closed.
        headers: { accept: 'application/json', connection: 'close', ...authorization, ...request.headers },
      });
    } catch (cause) {
      throw new DeliveryError(`The Apprise server ${reasonOf(cause)}.`, { retryable: true, cause });
    }
  };

  return {
    async notify(serviceUrl, message, signal) {
      const { overheard, end } = calls.begin([...own, ...partsOf(serviceUrl)]);
      try {
        const answer = await ask('/notify', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-apprise-log-level': 'WARNING' },
          body: JSON.stringify(callFor(serviceUrl, message)),
          signal: limitedSignal(timeout, signal),
        });
        const said = await readAnswer(answer, (text) => without([...overheard], text));
        if (answer.status !== 200) throw refusal(answer.status, said);
      } finally {
        end();
      }
    },

    async health() {
      try {
        const answer = await ask('/status', { signal: AbortSignal.timeout(healthTimeout) });
        await answer.body?.cancel();
        return null;
      } catch (error) {
        return (error as DeliveryError).message;
      }
    },
  };
}

/** User information goes into a header: `fetch` takes no URL that has it. */
function placeOf(url: string): { place: string; authorization: Record<string, string> } {
  const { origin, pathname, username, password } = new URL(url);
  const place = `${origin}${pathname.replace(/\/+$/, '')}`;
  if (username === '' && password === '') return { place, authorization: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { place, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** The server wants a body that is not empty. */
const callFor = (serviceUrl: string, { title, body, type, format }: NotificationMessage) => ({
  urls: asOneUrl(serviceUrl),
  title,
  body: body || title || '-',
  type,
  format,
});

function refusal(status: number, { error, details }: Said): DeliveryError {
  // The server has accepted the call, and found nobody to tell.
  if (status === 204) {
    const reason =
      'The Apprise server knows no service for this URL; compare it with the documentation of Apprise.';
    return new DeliveryError(reason, { retryable: false });
  }
  const what = status === 424 ? 'could not deliver the message' : `answered ${status}`;
  const words = status === 424 ? details || error : error;
  const sentence = `The Apprise server ${what}${words === '' ? '.' : `: ${words}`}`;
  return new DeliveryError(sentence, { retryable: !finalRefusals.includes(status) });
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'has a host name that nobody knows',
  EAI_AGAIN: 'has a host name that can not be looked up now',
  ECONNRESET: 'closed the connection without an answer',
  UND_ERR_SOCKET: 'closed the connection without an answer',
  UND_ERR_CONNECT_TIMEOUT: 'does not take the connection in time',
};

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; name?: string } };
  if (name === 'TimeoutError') return 'did not answer in time';
  if (name === 'AbortError') return 'did not answer before the message was given up';
  const code = cause?.code ?? cause?.name ?? name ?? 'unknown error';
  if (code.startsWith('HPE_')) return 'answered with something that is no HTTP';
  return reasons[code] ?? `could not be reached (${code})`;
}
