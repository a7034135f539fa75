import type { NotificationSettingView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import type { Dependencies } from '../dependencies.js';
import { findSetting } from './find-setting.js';
import { viewSettings } from './view-settings.js';

type Needs = Pick<Dependencies, 'secrets' | 'log'> & { storage: StorageSession };

/** AppError `not_found`. */
export const getSetting =
  (needs: Needs) =>
  async (caller: Pick<Caller, 'isAdmin'>, id: number): Promise<NotificationSettingView> => {
    const [view] = await viewSettings(needs, caller, [await findSetting(needs.storage, id)]);
    return view as NotificationSettingView;
  };
