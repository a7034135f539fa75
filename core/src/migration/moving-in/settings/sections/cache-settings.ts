import { cacheSettingsInput } from '@holdfast/contracts';
import type { z } from 'zod';
import { cacheUrlPurpose, cacheUseCases, storedCacheSettings } from '../../../../backup/archives/index.js';
import { only, section, type Writing } from '../section.js';

const shape = cacheSettingsInput.strict();
type CacheSettings = z.infer<typeof shape>;

/** Cache settings that were changed through the API; the others come from the environment. */
export const cacheSettings = section<CacheSettings>({
  name: 'cache_settings',
  shape,
  key: () => 'cache',
  title: () => 'cache',
  secrets: ['url'],
  fixed: [],
  read: async ({ storage, secrets }) => {
    const { url, enabled, ttlSeconds, maxSizeMb, warmAfterBackup } = await storedCacheSettings(storage);
    const value = {
      ...(url !== undefined && { url: url === null ? '' : secrets.open(cacheUrlPurpose, url) }),
      ...(enabled !== undefined && { enabled }),
      ...(ttlSeconds !== undefined && { ttl_seconds: ttlSeconds }),
      ...(maxSizeMb !== undefined && { max_size_mb: maxSizeMb }),
      ...(warmAfterBackup !== undefined && { warm_after_backup: warmAfterBackup }),
    };
    return Object.keys(value).length > 0 ? [{ id: 1, value }] : [];
  },
  create: apply,
  change: (at, _existing, value, fields) => apply(at, only(value, fields)),
});

/** Applied last, because they take effect immediately in all processes. */
async function apply({ afterwards }: Writing, changes: CacheSettings): Promise<void> {
  afterwards((needs) => cacheUseCases(needs).updateCacheSettings(changes));
}
