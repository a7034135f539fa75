import { notificationsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { created, noContent, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const notificationsRouter = ({
  notifications,
}: Pick<UseCases, 'notifications'>): RouterOf<typeof notificationsContract> =>
  server.router(notificationsContract, {
    list: async ({ req }) => ok(await notifications.listSettings(callerOf(req))),
    create: async ({ body }) => created(await notifications.createSetting(body)),
    test: async ({ body }) => ok(await notifications.testServiceUrl(body.service_url)),
    services: async () => ok(notifications.listServices()),
    get: async ({ params, req }) => ok(await notifications.getSetting(callerOf(req), params.setting_id)),
    update: async ({ params, body }) => ok(await notifications.updateSetting(params.setting_id, body)),
    delete: async ({ params }) => {
      await notifications.deleteSetting(params.setting_id);
      return noContent();
    },
    deliveries: async ({ params, query }) => ok(await notifications.listDeliveries(params.setting_id, query)),
    resend: async ({ params: { setting_id: settingId, delivery_id: deliveryId } }) =>
      ok(await notifications.resendDelivery({ settingId, deliveryId })),
  });
