/** Backs up the service itself: consistent copies of its database, secret key and plugin data, and what takes them up again. */

export { type CopyManifest, readCopy, writeCopy } from './copy.fs.js';
export { copyFolder, manifestFile } from './manifest.rules.js';
export type { OwnKeys } from './needs.js';
export { type OwnBackupFacts, ownBackupFacts, ownBackupSettings } from './own-backup-view.js';
export { prepareOwnBackup } from './own-folder.js';
export { type Recovered, settleRecovered } from './recovered.js';
export { ownBackupUseCases } from './use-cases.js';
export { withOwnCopy } from './with-own-copy.js';
