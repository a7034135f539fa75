import type { Transmission } from './notification-delivery.rules.js';
import type { NotificationMessage } from '../ports/plugin.js';
import type { Dependencies } from '../dependencies.js';
import { protectServiceUrl, usableTransport } from './service-url.js';

interface Sending {
  url: string;
  message: NotificationMessage;
  signal?: AbortSignal;
  limitMs: number;
}

/** Hands a message to the transport of its URL, bounded in time. Never rejects. */
export const transmit =
  ({ notifiers, redactor, log }: Pick<Dependencies, 'notifiers' | 'redactor' | 'log'>) =>
  async ({ url, message, signal, limitMs }: Sending): Promise<Transmission> => {
    const release = protectServiceUrl(redactor, url);
    try {
      const usable = usableTransport(notifiers, url);
      // The configuration may be mended before the message is given up.
      if ('fault' in usable) return { sent: false, retryable: true, reason: usable.fault };
      await bounded(limitMs, signal, (within) => usable.transport.send(url, message, { signal: within }));
      return { sent: true };
    } catch (error) {
      log.warn('a notification could not be sent', { message: message.id, error });
      return { sent: false, ...reasonOf(error, redactor.redact) };
    } finally {
      release();
    }
  };

/** A transport that does not listen to the signal is not waited for. */
async function bounded(
  limitMs: number,
  outer: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  const late = new Error(`The receiver did not answer within ${limitMs / 1000} s.`);
  const timer = setTimeout(() => abort.abort(late), limitMs);
  const onAbort = () => abort.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort);
  if (outer?.aborted) onAbort();
  try {
    await Promise.race([
      new Promise<never>((_, reject) => {
        const fail = () => reject(abort.signal.reason);
        if (abort.signal.aborted) fail();
        else abort.signal.addEventListener('abort', fail);
      }),
      send(abort.signal),
    ]);
  } catch (error) {
    throw abort.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

const longestReason = 1_000;

function reasonOf(error: unknown, redact: (text: string) => string): { retryable: boolean; reason: string } {
  const message = error instanceof Error && error.message !== '' ? error.message : 'The transport failed.';
  const reason = redact(message).replace(/\p{Cc}+/gu, ' ');
  // A plugin may carry its own copy of DeliveryError.
  const final = error instanceof Error && (error as { retryable?: unknown }).retryable === false;
  const short = reason.length <= longestReason ? reason : `${reason.slice(0, longestReason)}…`;
  return { retryable: !final, reason: short };
}
