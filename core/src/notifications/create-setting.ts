import { randomUUID } from 'node:crypto';
import type { NewNotificationSetting, NotificationSettingWritten } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import { notificationSettings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { getSetting } from './get-setting.js';
import { sealServiceUrl } from './service-url.js';
import { columnsGiven, monitor, refuseUnusable, writeWarnings } from './write-setting.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'log' | 'notifiers'>;

/** AppError `invalid`: the service URL, a repository. */
export const createSetting =
  (needs: Needs) =>
  async (input: NewNotificationSetting): Promise<NotificationSettingWritten> => {
    refuseUnusable(needs.notifiers, input.service_url);
    const uid = randomUUID();
    const now = needs.clock.now();
    const view = await inTransaction(needs.storage, async (session) => {
      const row = await session.insert(notificationSettings, {
        ...columnsGiven(input),
        ...{ uid, name: input.name, created_at: now, updated_at: now },
        ...sealServiceUrl(needs.secrets, uid, input.service_url),
      });
      await monitor(session, row, input.repository_ids);
      return getSetting({ ...needs, storage: session })({ isAdmin: true }, row.id);
    });
    return { ...view, ...writeWarnings(input, view) };
  };
