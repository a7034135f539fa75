import type { ArchiveEntry, BackupDriver } from '@holdfast/plugin-api/driver';

/** Reads the whole listing before it gives the first entry. */
export const greedyDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async *listEntries(target, input, options) {
    const entries: ArchiveEntry[] = [];
    for await (const batch of driver.listEntries(target, input, options)) entries.push(...batch);
    yield entries;
  },
});
