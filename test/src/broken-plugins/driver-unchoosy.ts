import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Brings back everything, whatever was chosen. */
export const unchoosyDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  extract: (target, input, options) => {
    if (!driver.extract) throw new Error('the sound driver must restore');
    return driver.extract(target, { ...input, paths: [] }, options);
  },
});
