import { DeliveryError, limitedSignal, type NotificationMessage } from '@holdfast/plugin-api';
import type { RequestInit } from 'undici';
import { type FailureReport, readAnswer } from './answer.js';
import { OverlappingCalls } from './overlapping-calls.js';
import { asOneUrl, partsOf, without } from './service-url.js';

export interface AppriseServer {
  /** @throws DeliveryError */
  notify(serviceUrl: string, message: NotificationMessage, signal: AbortSignal): Promise<void>;
  /** Null when the server answers. */
  health(): Promise<string | null>;
}

const healthTimeout = 2_000;
/** The message is invalid or too large, or the server called itself too often. */
const finalStatuses = [400, 406, 413, 431];

/** `timeout`: of one call, in milliseconds. */
export function appriseServer(url: string, { timeout }: { timeout: number }): AppriseServer {
  const { place, authorization } = placeOf(url);
  const calls = new OverlappingCalls();
  const own = Object.values(authorization).map((value) => value.slice('Basic '.length));

  const ask = async (path: string, request: RequestInit) => {
    // Loaded on first use: a start without messages is faster.
    const { fetch } = await import('undici');
    try {
      return await fetch(`${place}${path}`, {
        ...request,
        redirect: 'manual',
        // Messages are rare: the server would often have closed a kept-alive connection.
        headers: { accept: 'application/json', connection: 'close', ...authorization, ...request.headers },
      });
    } catch (cause) {
      throw new DeliveryError(`The Apprise server ${reasonOf(cause)}.`, { retryable: true, cause });
    }
  };

  return {
    async notify(serviceUrl, message, signal) {
      const { secrets, end } = calls.begin([...own, ...partsOf(serviceUrl)]);
      try {
        const answer = await ask('/notify', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-apprise-log-level': 'WARNING' },
          body: JSON.stringify(callFor(serviceUrl, message)),
          signal: limitedSignal(timeout, signal),
        });
        const report = await readAnswer(answer, (text) => without([...secrets], text));
        if (answer.status !== 200) throw failureOf(answer.status, report);
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

/** Credentials go into a header: `fetch` rejects a URL that contains them. */
function placeOf(url: string): { place: string; authorization: Record<string, string> } {
  const { origin, pathname, username, password } = new URL(url);
  const place = `${origin}${pathname.replace(/\/+$/, '')}`;
  if (username === '' && password === '') return { place, authorization: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { place, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** The server requires a body that is not empty. */
const callFor = (serviceUrl: string, { title, body, type, format }: NotificationMessage) => ({
  urls: asOneUrl(serviceUrl),
  title,
  body: body || title || '-',
  type,
  format,
});

function failureOf(status: number, { error, details }: FailureReport): DeliveryError {
  // The server accepted the call but found no recipient.
  if (status === 204) {
    const reason =
      'The Apprise server does not recognise this URL; check it against the Apprise documentation.';
    return new DeliveryError(reason, { retryable: false });
  }
  const what = status === 424 ? 'could not deliver the message' : `answered ${status}`;
  const explanation = status === 424 ? details || error : error;
  const sentence = `The Apprise server ${what}${explanation === '' ? '.' : `: ${explanation}`}`;
  return new DeliveryError(sentence, { retryable: !finalStatuses.includes(status) });
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved right now',
  ECONNRESET: 'closed the connection without a response',
  UND_ERR_SOCKET: 'closed the connection without a response',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
};

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; name?: string } };
  if (name === 'TimeoutError') return 'did not respond in time';
  if (name === 'AbortError') return 'did not respond before the delivery was cancelled';
  const code = cause?.code ?? cause?.name ?? name ?? 'unknown error';
  if (code.startsWith('HPE_')) return 'sent an invalid HTTP response';
  return reasons[code] ?? `could not be reached (${code})`;
}
