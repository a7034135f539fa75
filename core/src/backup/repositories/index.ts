/** Registers repositories, checks their identity, and keeps the inventory of their archives. */

export {
  checkTemplate,
  defaultTemplate,
  formatArchiveComment,
  freeArchiveName,
  isCheckpointName,
  isCheckpointOf,
  manualArchiveName,
  parseArchiveComment,
  renderArchiveName,
} from './archive-name.rules.js';
export { checkDirectory } from './check-location.js';
export { contentsOf } from './contents.js';
export { createRepository } from './create-repository.js';
export type { Forgotten } from './delete-repository.js';
export { followConnection, forgetConnection } from './follow-connection.js';
export { ignoredFields } from './given-connections.js';
export { type HiddenFrom, makeHiddenFrom, requireRightToFiles, shownRow } from './hidden-repositories.js';
export { importRepository, openCandidate } from './import-repository.js';
export { adoptArchives, releaseAllOf, releaseArchives } from './inventory/adopted-archives.js';
export {
  currentArchive,
  currentInventory,
  currentRepository,
  refreshInventory,
} from './inventory/current-inventory.js';
export { newEpoch } from './inventory/new-epoch.js';
export { isPinned, livePins, pinnedAmong, pinView, removePin, writePin } from './inventory/pins.js';
export { recordFormerArchives } from './inventory/record-former-archives.js';
export {
  addArchive,
  addedSize,
  archivesChanged,
  type BackupOutcome,
  backupsIn,
  markDamaged,
  noteMeasureFailure,
  noteSizes,
  removeArchives,
} from './inventory/recorded-archives.js';
export { type Listing, rewriteInventory } from './inventory/rewrite-inventory.js';
export { type LeftOut, leftOutBy } from './left-out.rules.js';
export { noteNext, openNext, takeNext } from './next-passphrase.js';
export {
  openSecrets,
  openTarget,
  protectSecrets,
  repositoryVariables,
  sealSecrets,
} from './open-target.js';
export { ownFolderIn } from './own-folder.rules.js';
export { requirePassphrase } from './passphrase.js';
export { openErrorOf, recordingDriver } from './recording-driver.js';
export { addSecrets, registerKnownRepository } from './register-known.js';
export { withoutRemoved } from './removed-repositories.js';
export { findRepository, getRepository, type RepositorySelector, viewRepository } from './repositories.js';
export {
  asSaved,
  compressionProblem,
  customFlagsText,
  isSpaceError,
  parseCustomFlags,
  symlinkRemark,
} from './repository.rules.js';
export { forgetMassChange, noteMassChange, noteOwnSource, noteRepository } from './repository-facts.js';
export { asCandidate, removeLeftFolders } from './repository-making.js';
export { checkSources, type ReservedPlace, ReservedPlaces, repositoryPath } from './repository-path.rules.js';
export { missingBeforeScript, reportUnreadableSources, unreadableSources } from './source-remarks.js';
export { getSourceSet } from './source-sets/source-sets.js';
export {
  kindOf,
  openedSettings,
  secretsOfSources,
  shownSources,
  storedSources,
  withSecrets,
} from './source-settings.js';
export { refuseLoss, refuseSourceLoss, sourcesLost } from './sources-lost.rules.js';
export { spaceAt } from './space.rules.js';
export * from './tables.js';
export type { RecallRepository } from './take-up.js';
export { toolFailure } from './tool-failure.js';
export { changeRepository, checkCustomFlags, checkGiven, remarksOn } from './update-repository.js';
export { repositoriesUseCases } from './use-cases.js';
export { visibleStorage } from './visible-storage.js';
