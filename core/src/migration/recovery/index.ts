/** The recovery sheet, and the backup of Holdfast itself: database, secret key and plugin data. */

export type { OwnKeys } from './needs.js';
export { type CopyManifest, readCopy, writeCopy } from './self-backup/copy.fs.js';
export { copyFolder, manifestFile } from './self-backup/manifest.rules.js';
export { prepareSelfBackup } from './self-backup/own-folder.js';
export { type Recovered, settleRecovered } from './self-backup/recovered.js';
export { type SelfBackupFacts, selfBackupFacts, selfBackupSettings } from './self-backup/self-backup-view.js';
export { withOwnCopy } from './self-backup/with-own-copy.js';
export { makeSheet, type SheetFormat } from './sheet/make-sheet.js';
export { recoveryUseCases } from './use-cases.js';
