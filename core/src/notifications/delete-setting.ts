import { inTransaction } from '../kernel/in-transaction.js';
import { deliveries, notificationRepositories, notificationSettings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSetting } from './find-setting.js';

/** Its messages go with it, also those that were not sent yet. AppError `not_found`. */
export const deleteSetting =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  (id: number): Promise<void> =>
    inTransaction(storage, async (session) => {
      await findSetting(session, id);
      await session.remove(notificationRepositories, { setting_id: id });
      await session.remove(deliveries, { setting_id: id });
      await session.remove(notificationSettings, { id });
    });
