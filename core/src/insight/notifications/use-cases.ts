import { randomUUID } from 'node:crypto';
import type { NotificationServiceView } from '@holdfast/contracts';
import { say, shownMessage, useCasesOf } from '../../foundation/kernel/index.js';
import { listDeliveries, resendDelivery } from './deliveries.js';
import type { NotificationsNeeds } from './needs.js';
import { testMessage } from './notification-message.rules.js';
import { transmit } from './send-delivery.js';
import { createSetting, deleteSetting, getSetting, listSettings, updateSetting } from './settings.js';

export const notificationsUseCases = (dependencies: NotificationsNeeds) =>
  useCasesOf(dependencies, {
    createSetting,
    deleteSetting,
    getSetting,
    listDeliveries,
    listServices,
    listSettings,
    resendDelivery,
    testServiceUrl,
    updateSetting,
  });

/** The services for which forms can build URLs. */
function listServices({ notifiers }: NotificationsNeeds): NotificationServiceView[] {
  return notifiers.services.map(({ id: service, name, schemes, fields, template }) => ({
    service,
    name,
    template,
    schemes: [...schemes],
    fields: fields.map(({ name, label, kind, required, help, example }) => ({
      name,
      label,
      kind,
      required,
      help,
      example,
    })),
  }));
}

const limitMs = 20_000;

/** Sends a test message and returns the result. Stores nothing. */
async function testServiceUrl(needs: NotificationsNeeds, serviceUrl: string) {
  const url = serviceUrl.trim();
  const message = testMessage(randomUUID(), needs.clock.now());
  const result = await transmit(needs, { url, message, limitMs });
  const said = result.sent ? say`test_sent: The test notification was sent.` : result.reason;
  return { success: result.sent, ...shownMessage(said) };
}
