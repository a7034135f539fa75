import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Takes any text for the key of any repository. */
export const trustingDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  importKey: async (_target, { text }) => ({ value: { keyFile: text }, warnings: [] }),
});
