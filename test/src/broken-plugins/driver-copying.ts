import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Brings each name of a file back as a file of its own. */
export const copyingDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async extract(target, input, options) {
    if (!driver.extract) throw new Error('the sound driver must restore');
    const result = await driver.extract(target, input, options);
    for (const entry of await readdir(input.folder, { recursive: true, withFileTypes: true })) {
      if (entry.name !== 'hard-2') continue;
      const path = join(entry.parentPath, entry.name);
      await copyFile(path, `${path}.copy`);
      await rm(path);
      await copyFile(`${path}.copy`, path);
      await rm(`${path}.copy`);
    }
    return result;
  },
});
