import type { Transmission } from './notification-delivery.rules.js';
import { isNotificationKind } from './notification-kind.rules.js';
import { messageFor } from './notification-message.rules.js';
import { type DeliveryRow, events, notificationSettings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openServiceUrl } from './service-url.js';
import { transmit } from './transmit.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'notifiers' | 'redactor' | 'log'>;

/** What a service may take; some of the library's send to several places one after the other. */
const limitMs = 60_000;

/** One try of a message. Rejects with a StoreError only. */
export const sendDelivery =
  (needs: Needs) =>
  async (row: DeliveryRow, signal: AbortSignal): Promise<Transmission> => {
    const { storage, secrets, log } = needs;
    const [setting] = await storage.find(notificationSettings, { where: { id: row.setting_id }, limit: 1 });
    const [event] = await storage.find(events, { where: { id: row.event_id }, limit: 1 });
    if (!setting?.enabled) return givenUp('The notification setting is switched off.');
    if (!event || !isNotificationKind(event.kind)) return givenUp('The event is not known any more.');
    let url: string;
    try {
      url = openServiceUrl(secrets, setting);
    } catch (error) {
      log.error('the service URL of a notification setting does not open', { setting: setting.id, error });
      const reason =
        'The service URL does not open with the present SECRET_KEY: give it anew in the setting.';
      return { sent: false, retryable: true, reason };
    }
    const outgoing = {
      ...{ messageId: row.message_id, count: row.count, firstAt: row.first_at },
      event: { kind: event.kind, at: event.at, data: event.data },
      recovered: row.recovery ? row.topic : null,
    };
    return transmit(needs)({ url, message: messageFor(outgoing, setting), signal, limitMs });
  };

const givenUp = (reason: string): Transmission => ({ sent: false, retryable: false, reason });
