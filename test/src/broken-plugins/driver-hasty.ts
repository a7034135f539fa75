import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Takes the last look as an operation begins, and starts the tool when it is prepared. */
export const hastyDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  createArchive(target, input, { beforeStart, ...options } = {}) {
    beforeStart?.();
    return driver.createArchive(target, input, options);
  },
});
