import { rm } from 'node:fs/promises';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { asDriverError } from '../command.js';
import type { BorgContext } from '../context.js';
import { baseFolder } from '../environment.js';

export const forget =
  (context: BorgContext): BackupDriver['forget'] =>
  async ({ uid }) => {
    const folder = baseFolder(context.dataFolder, uid);
    await rm(folder, { recursive: true, force: true }).catch((error) => {
      throw asDriverError(error);
    });
  };
