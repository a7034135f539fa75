import type { BackupDriver } from '@holdfast/plugin-api/driver';

type Operation = keyof BackupDriver;
type Need<K extends Operation> = undefined extends BackupDriver[K] ? 'may' : 'must';

const all: { [K in Operation]-?: Need<K> } = {
  archiveInfo: 'must',
  breakLock: 'must',
  changePassphrase: 'may',
  check: 'may',
  checkCustomFlags: 'must',
  checkPull: 'may',
  checkStreams: 'may',
  compact: 'must',
  createArchive: 'must',
  deleteArchives: 'must',
  destroy: 'may',
  endProcess: 'must',
  excludes: 'may',
  exportKey: 'must',
  exportTar: 'may',
  extract: 'may',
  forget: 'must',
  idAt: 'may',
  importKey: 'must',
  init: 'must',
  listArchives: 'must',
  look: 'may',
  listEntries: 'must',
  lockHolder: 'must',
  open: 'must',
  pullArchive: 'may',
  readFile: 'must',
  signArchives: 'may',
  version: 'must',
};

/** The names of all operations that a driver may have. */
export const driverOperations = Object.keys(all) as Operation[];

/** The operations that every driver must have. */
export const requiredDriverOperations = driverOperations.filter((name) => all[name] === 'must');
