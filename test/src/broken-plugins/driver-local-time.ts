import type { BackupDriver } from '@holdfast/plugin-api/driver';

const twoHours = 2 * 60 * 60 * 1000;

/** Takes the tool's times for times of another zone. */
export const localTimeDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async listArchives(target, input, options) {
    const { value, warnings } = await driver.listArchives(target, input, options);
    return { value: value.map((archive) => ({ ...archive, start: archive.start + twoHours })), warnings };
  },
});
