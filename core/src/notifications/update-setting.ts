import type { NotificationSettingChanges, NotificationSettingWritten } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import { notificationSettings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSetting } from './find-setting.js';
import { getSetting } from './get-setting.js';
import { sealServiceUrl } from './service-url.js';
import { columnsGiven, monitor, refuseUnusable, writeWarnings } from './write-setting.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'log' | 'notifiers'>;

/** Changes what is given; of two changes at once the later one wins, field by field. AppError as for creating. */
export const updateSetting =
  (needs: Needs) =>
  async (id: number, input: NotificationSettingChanges): Promise<NotificationSettingWritten> => {
    const view = await inTransaction(needs.storage, async (session) => {
      const before = await findSetting(session, id);
      const { service_url: url } = input;
      if (url !== undefined) refuseUnusable(needs.notifiers, url);
      const patch = {
        ...columnsGiven(input),
        ...(url === undefined ? {} : sealServiceUrl(needs.secrets, before.uid, url)),
        updated_at: Math.max(needs.clock.now(), before.updated_at + 1),
      };
      await session.update(notificationSettings, { id }, patch);
      await monitor(session, { ...before, ...patch }, input.repository_ids);
      return getSetting({ ...needs, storage: session })({ isAdmin: true }, id);
    });
    return { ...view, ...writeWarnings(input, view) };
  };
