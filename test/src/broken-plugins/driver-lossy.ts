import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Loses the bytes of names that aren't UTF-8, as the tool's own JSON does. */
export const lossyDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async *listEntries(target, input, options) {
    for await (const batch of driver.listEntries(target, input, options))
      yield batch.map((entry) => ({ ...entry, path: entry.path.replace(/\p{Surrogate}/gu, '?') }));
  },
});
