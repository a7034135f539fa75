import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Starts the tool without a last look at the signal. */
export const unaskingDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  createArchive: (target, input, { beforeStart: _, ...options } = {}) =>
    driver.createArchive(target, input, options),
});
