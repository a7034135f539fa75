import { type Forbidding, failureOf, retryAfterMs } from '@holdfast/notify-transport';
import { DeliveryError, limitedSignal, type NotificationMessage } from '@holdfast/plugin-api';
import type { Dispatcher } from 'undici';
import { guardedAgent } from './guarded-agent.js';
import { maskedExcerpt } from './masked-excerpt.js';
import { payloadOf } from './payload.js';
import { nextHop } from './redirects.js';
import { headersFor } from './request-headers.js';
import type { Webhook } from './service-url.js';

/** For one attempt, including redirects. */
const attemptTimeoutMs = 30_000;
const mostRedirects = 5;
/** Possibly temporary: overload, a timeout, a service that is being deployed. */
const retryableStatuses = [404, 408, 425, 429];

export interface Sending {
  isForbidden: Forbidding;
  signal: AbortSignal;
}

/** Resolves when the receiver answered 2xx. Each message uses its own connections. @throws DeliveryError */
export async function sendWebhook(
  webhook: Webhook,
  message: NotificationMessage,
  { isForbidden, signal }: Sending,
): Promise<void> {
  signal.throwIfAborted();
  // Loaded with the first message: a service without webhooks saves the memory.
  const undici = await import('undici');
  const agent = guardedAgent(undici, { isForbidden, ...webhook });
  const limited = limitedSignal(attemptTimeoutMs, signal);
  const body = payloadOf(message, webhook.fields);
  let at = webhook.target;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const headers = headersFor(webhook, message, at);
      const options = { method: webhook.method as Dispatcher.HttpMethod, headers, body, signal: limited };
      const answer = await undici.request(at, { ...options, dispatcher: agent });
      if (answer.statusCode >= 200 && answer.statusCode < 300) return;
      const next = webhook.followRedirects ? nextHop(answer, at) : null;
      if (next === null) throw await rejection(answer, at, webhook);
      if (redirects === mostRedirects) throw tooManyRedirects(at);
      at = next;
    }
  } catch (error) {
    throw failureOf(at.host, error);
  } finally {
    // Also ends an answer that is still arriving.
    await agent.destroy();
  }
}

const tooManyRedirects = ({ host }: URL) =>
  new DeliveryError(`${host} redirects more than ${mostRedirects} times.`, { retryable: true });

async function rejection(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { host }: URL,
  webhook: Webhook,
): Promise<DeliveryError> {
  const excerpt = await maskedExcerpt(body, webhook);
  const retryable = statusCode >= 500 || retryableStatuses.includes(statusCode);
  const pause = retryable ? retryAfterMs({ headers, text: '' }) : undefined;
  return new DeliveryError(`${host} answered ${statusCode}${excerpt === '' ? '.' : `: ${excerpt}`}`, {
    retryable,
    ...(pause !== undefined && { retryAfterMs: pause }),
  });
}
