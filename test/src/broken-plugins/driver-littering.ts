import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Leaves the folders that it made for a repository that came to nothing. */
export const litteringDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async init(target, input, options) {
    try {
      return await driver.init(target, input, options);
    } catch (error) {
      await mkdir(dirname(target.location), { recursive: true }).catch(() => {});
      throw error;
    }
  },
});
