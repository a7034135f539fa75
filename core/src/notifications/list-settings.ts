import type { Caller } from '../kernel/caller.rules.js';
import { notificationSettings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { viewSettings } from './view-settings.js';

/** In the order in which they were made. */
export const listSettings =
  (needs: Pick<Dependencies, 'storage' | 'secrets' | 'log'>) => async (caller: Caller) =>
    viewSettings(needs, caller, await needs.storage.find(notificationSettings));
