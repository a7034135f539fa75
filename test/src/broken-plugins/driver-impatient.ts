import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Tells of the process of a backup, and lets it begin before that was noted. */
export const impatientDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  createArchive(target, input, { onProcess, ...options } = {}) {
    return driver.createArchive(target, input, {
      ...options,
      onProcess(process) {
        Promise.resolve(onProcess?.(process)).catch(() => {});
      },
    });
  },
});
