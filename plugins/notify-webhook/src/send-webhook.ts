import { DeliveryError, limitedSignal, type NotificationMessage } from '@holdfast/plugin-api';
import type { Dispatcher } from 'undici';
import { failureOf } from './failure.js';
import { guardedAgent } from './guarded-agent.js';
import { maskedExcerpt } from './masked-excerpt.js';
import { payloadOf } from './payload.js';
import { nextHop } from './redirects.js';
import { headersFor } from './request-headers.js';
import type { Webhook } from './service-url.js';

/** For all of one try, redirects included. */
const longestTry = 30_000;
const mostRedirects = 5;
/** These may mend by themselves: overload, a time-out, a service that is just being put in place. */
const retryableRefusals = [404, 408, 425, 429];

export interface Sending {
  isForbidden(address: string): boolean;
  signal: AbortSignal;
}

/** Resolves when the receiver answered 2xx. Connections live for one message only. @throws DeliveryError */
export async function sendWebhook(
  webhook: Webhook,
  message: NotificationMessage,
  { isForbidden, signal }: Sending,
): Promise<void> {
  signal.throwIfAborted();
  // Loaded with the first message: it takes memory that a service without webhooks can spare.
  const undici = await import('undici');
  const agent = guardedAgent(undici, { isForbidden, ...webhook });
  const limited = limitedSignal(longestTry, signal);
  const body = payloadOf(message, webhook.fields);
  let at = webhook.target;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const headers = headersFor(webhook, message, at);
      const options = { method: webhook.method as Dispatcher.HttpMethod, headers, body, signal: limited };
      const answer = await undici.request(at, { ...options, dispatcher: agent });
      if (answer.statusCode >= 200 && answer.statusCode < 300) return;
      const next = webhook.followRedirects ? nextHop(answer, at) : null;
      if (next === null) throw await refusal(answer, at, webhook);
      if (redirects === mostRedirects) throw tooManyRedirects(at);
      at = next;
    }
  } catch (error) {
    throw failureOf(at.host, error);
  } finally {
    // Ends also an answer that is still coming.
    await agent.destroy();
  }
}

const tooManyRedirects = ({ host }: URL) =>
  new DeliveryError(`${host} redirects more than ${mostRedirects} times.`, { retryable: true });

async function refusal(
  { statusCode, body }: Dispatcher.ResponseData,
  { host }: URL,
  webhook: Webhook,
): Promise<DeliveryError> {
  const said = await maskedExcerpt(body, webhook);
  const retryable = statusCode >= 500 || retryableRefusals.includes(statusCode);
  return new DeliveryError(`${host} answered ${statusCode}${said === '' ? '.' : `: ${said}`}`, { retryable });
}
