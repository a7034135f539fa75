import type { DeliveryError, NotificationMessage } from '@holdfast/plugin-api';
import { events } from '../../foundation/events/index.js';
import { type Message, say } from '../../foundation/kernel/index.js';
import { type DeliveryWorker, type DeliveryWorkerParts, makeDeliveryWorker } from './delivery-worker.js';
import type { NotificationsNeeds } from './needs.js';
import {
  type Failure,
  isNotificationKind,
  notificationKinds,
  type Transmission,
} from './notification-kind.rules.js';
import { messageFor } from './notification-message.rules.js';
import type { Preference } from './notifier-registry.js';
import { openServiceUrl, protectServiceUrl, usableTransport } from './service-url.js';
import { type DeliveryRow, notificationSettings } from './tables.js';

/** Timeout for one message. Some services of the notification library send to several places in sequence. */
const limitMs = 60_000;

/** Tries once to send a message. Rejects only with a StoreError. */
async function sendDelivery(
  needs: NotificationsNeeds,
  row: DeliveryRow,
  signal: AbortSignal,
): Promise<Transmission> {
  const { storage, secrets, log } = needs;
  const [setting] = await storage.find(notificationSettings, { where: { id: row.setting_id }, limit: 1 });
  const [event] = await storage.find(events, { where: { id: row.event_id }, limit: 1 });
  if (!setting?.enabled)
    return givenUp(say`notification_setting_disabled: The notification channel is disabled.`);
  if (!event || !isNotificationKind(event.kind)) return givenUp(say`event_gone: The event no longer exists.`);
  let url: string;
  try {
    url = openServiceUrl(secrets, setting);
  } catch (error) {
    log.error('cannot decrypt the service URL of a notification channel', { setting: setting.id, error });
    const reason = say`service_url_undecryptable: The service URL cannot be decrypted with the current SECRET_KEY: enter it again in the channel.`;
    return { sent: false, retryable: true, reason };
  }
  const outgoing = {
    messageId: row.message_id,
    count: row.count,
    firstAt: row.first_at,
    event: { kind: event.kind, at: event.at, data: event.data },
    recovered: row.recovery ? row.topic : null,
  };
  const message = messageFor(outgoing, setting);
  return transmit(needs, { url, message, appriseFirst: setting.apprise_first, signal, limitMs });
}

const givenUp = (reason: Message): Failure => ({ sent: false, retryable: false, reason });

interface Sending extends Preference {
  url: string;
  message: NotificationMessage;
  signal?: AbortSignal;
  limitMs: number;
}

/** Passes a message to the transport of its URL, with a timeout. Never rejects. */
export async function transmit(
  { notifiers, redactor, log }: NotificationsNeeds,
  { url, message, signal, limitMs, ...preference }: Sending,
): Promise<Transmission> {
  const release = protectServiceUrl(redactor, url);
  try {
    const usable = usableTransport(notifiers, url, preference);
    // The configuration may be fixed before retries end.
    if ('problem' in usable) return { sent: false, retryable: true, reason: usable.problem };
    await bounded(limitMs, signal, (within) => usable.transport.send(url, message, { signal: within }));
    return { sent: true };
  } catch (error) {
    log.warn('could not send a notification', { message: message.id, error });
    return { sent: false, ...reasonOf(error, redactor.redact) };
  } finally {
    release();
  }
}

/** Does not wait for a transport that ignores the signal. */
async function bounded(
  limitMs: number,
  outer: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  const late = new Error(`The receiver did not respond within ${limitMs / 1000} s.`);
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
const shortened = (text: string) =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason)}…`;

function reasonOf(error: unknown, redact: (text: string) => string): Omit<Failure, 'sent'> {
  const said = error instanceof Error ? error.message : '';
  const message = said
    ? say`delivery_failed: ${{ error: said }}`
    : say`transport_failed: The transport failed.`;
  // A plugin may carry its own copy of DeliveryError.
  const { retryable, retryAfterMs } = error instanceof Error ? (error as Partial<DeliveryError>) : {};
  const pauseMs = typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : 0;
  const reason = message.map((text) => shortened(redact(text).replace(/\p{Cc}+/gu, ' ')));
  return { retryable: retryable !== false, reason, pauseMs };
}

/** Sends the outbox. Safe with any number of instances on the same storage. */
export function makeNotificationWorker(
  needs: NotificationsNeeds,
  { instanceId, timings }: Pick<DeliveryWorkerParts, 'instanceId' | 'timings'>,
): DeliveryWorker {
  const { storage, clock, log, events } = needs;
  const engine = makeDeliveryWorker({
    storage,
    clock,
    log,
    events,
    instanceId,
    timings,
    send: sendDelivery.bind(null, needs),
  });
  const unfollow = events.follow(notificationKinds, (_, mayHaveMessages) => {
    if (mayHaveMessages) return engine.look();
  });
  return {
    ...engine,
    stop(graceMs) {
      unfollow();
      return engine.stop(graceMs);
    },
  };
}
