import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Forgets a listing that its reader left. */
export const abandoningDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  listEntries(target, input, options) {
    const entries = driver.listEntries(target, input, options)[Symbol.asyncIterator]();
    return { [Symbol.asyncIterator]: () => ({ next: () => entries.next() }) };
  },
});
