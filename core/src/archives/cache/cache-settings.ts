import type { CacheSettingsInput, CacheSettingsView } from '@holdfast/contracts';
import { AppError, invalid, isAppError } from '../../kernel/errors.js';
import { PluginError } from '../../plugins/plugin-error.js';
import type { Dependencies } from '../../dependencies.js';
import {
  choiceOf,
  protectPassword,
  type StoredCacheSettings,
  sealUrl,
  shownUrl,
  storeCacheSettings,
  storedCacheSettings,
} from './cache-choice.js';

type Needs = Pick<Dependencies, 'cacheControl' | 'storage' | 'secrets' | 'redactor' | 'settings'>;

const fields = {
  url: 'url',
  enabled: 'enabled',
  ttl_seconds: 'ttlSeconds',
  max_size_mb: 'maxSizeMb',
  warm_after_backup: 'warmAfterBackup',
} as const satisfies Record<keyof CacheSettingsInput, keyof StoredCacheSettings>;

export const getCacheSettings = (needs: Needs) => async (): Promise<CacheSettingsView> =>
  viewOf(needs, await storedCacheSettings(needs.storage));

/**
 * Changes what is given; null takes a setting back to what the environment says, an empty URL turns an external store
 * off. In use before it is stored. AppError `invalid` when the store can't be used: nothing has changed then.
 */
export const updateCacheSettings =
  (needs: Needs) =>
  async (input: CacheSettingsInput): Promise<CacheSettingsView> => {
    const former = await storedCacheSettings(needs.storage);
    if (input.url) protectPassword(needs, input.url);
    const stored = merged(needs, former, input);
    const problem = await needs.cacheControl.apply(choiceOf(needs, stored)).catch((error: unknown) => {
      if (error instanceof PluginError) return error.message;
      throw error;
    });
    if (problem !== null) throw invalid(`${problem} The former settings stay in use.`);
    await storeCacheSettings(needs.storage, stored).catch(async (error: unknown) => {
      await needs.cacheControl.apply(choiceOf(needs, former));
      if (isAppError(error)) throw error;
      throw new AppError('unavailable', 'The settings could not be stored; the former ones are in use.', {
        cause: error,
      });
    });
    return viewOf(needs, stored);
  };

function merged(needs: Needs, former: StoredCacheSettings, input: CacheSettingsInput): StoredCacheSettings {
  const stored: Record<string, unknown> = { ...former };
  for (const [name, field] of Object.entries(fields)) {
    const value = input[name as keyof CacheSettingsInput];
    if (value === undefined) continue;
    if (value === null) delete stored[field];
    else if (name === 'url') stored.url = value === '' ? null : sealUrl(needs, String(value));
    else stored[field] = value;
  }
  return stored;
}

function viewOf(needs: Needs, stored: StoredCacheSettings): CacheSettingsView {
  const { url, enabled, ttlSeconds, maxSizeMb, warmAfterBackup } = choiceOf(needs, stored);
  const names = Object.entries(fields).filter(([, field]) => stored[field] !== undefined);
  return {
    success: true,
    settings: {
      url: shownUrl(url),
      enabled,
      ttl_seconds: ttlSeconds,
      max_size_mb: maxSizeMb,
      warm_after_backup: warmAfterBackup,
    },
    overridden: names.map(([name]) => name as keyof CacheSettingsInput),
  };
}
