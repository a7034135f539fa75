import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';

/** Knows one kind of failure. */
export const vagueDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async createArchive(target, input, options) {
    try {
      return await driver.createArchive(target, input, options);
    } catch (error) {
      throw new DriverError('failed', (error as Error).message);
    }
  },
});
