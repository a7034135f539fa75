import type { BackupDriver } from './backup-driver.js';

const all: Record<keyof BackupDriver, true> = {
  archiveInfo: true,
  breakLock: true,
  check: true,
  checkCustomFlags: true,
  checkPull: true,
  compact: true,
  createArchive: true,
  deleteArchives: true,
  destroy: true,
  endProcess: true,
  exportKey: true,
  extract: true,
  forget: true,
  importKey: true,
  init: true,
  listArchives: true,
  listEntries: true,
  lockHolder: true,
  open: true,
  pullArchive: true,
  readFile: true,
  version: true,
};

/** The name of every operation that a driver may have. */
export const driverOperations = Object.keys(all) as (keyof BackupDriver)[];
