/** The recovery sheet, and the backup of Holdfast itself: database, secret key and plugin data. */

export type { OwnKeys } from './needs.js';
export { type CopyManifest, readCopy, writeCopy } from './own-backup/copy.fs.js';
export { copyFolder, manifestFile } from './own-backup/manifest.rules.js';
export { type OwnBackupFacts, ownBackupFacts, ownBackupSettings } from './own-backup/own-backup-view.js';
export { prepareOwnBackup } from './own-backup/own-folder.js';
export { type Recovered, settleRecovered } from './own-backup/recovered.js';
export { withOwnCopy } from './own-backup/with-own-copy.js';
export { makeSheet, type SheetFormat } from './sheet/make-sheet.js';
export { recoveryUseCases } from './use-cases.js';
