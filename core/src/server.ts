/** The door for the server: use cases, the job engine, the plugin host. */

export { type AuthUseCases, authUseCases, generatePassword, passwordProblem } from './accounts/index.js';
export { users } from './accounts/tables.js';
export type { CoreSettings, Dependencies } from './app.js';
export {
  type AllUseCases,
  giveIdentities,
  makeJobHandlers,
  makeUseCases,
  type UseCases,
} from './app.js';
export type { CacheChoice } from './archives/index.js';
export {
  ArchiveListings,
  currentCacheChoice,
  followArchiveChanges,
  followCacheSettings,
  type MeasureWorker,
  makeMeasureWorker,
  ServiceCache,
  sweepListingBuilds,
  warmListings,
} from './archives/index.js';
export {
  type AuditFacts,
  type AuditKind,
  type AuditStore,
  type AuditTrail,
  type AuditVerdict,
  appendEntries,
  auditCommand,
  makeAuditTrail,
  outcomeOf,
  sweepAudit,
  systemFacts,
  verifyTrail,
} from './audit/index.js';
export { type CronRule, joinWorkers, parseCron, type TimedWorker } from './calendar/index.js';
export { makeDrillWorker, sweepDrillScratch } from './drills/index.js';
export type { EventFilter } from './events/index.js';
export {
  type EventBus,
  type EventFeed,
  eventsBehind,
  makeEventBus,
  makeEventFeed,
  type PlacedEvent,
  placeEvents,
} from './events/index.js';
export { eventSequences, events } from './events/tables.js';
export {
  type FilesRead,
  type Need,
  openNeeds,
  type ReadFiles,
  readFiles,
  shellWords,
} from './exchange/index.js';
export { type HookWorker, makeHookWorker, scriptText } from './hooks/index.js';
export {
  defaultRetention,
  type HousekeepingWorker,
  makeHousekeepingWorker,
  type Retention,
  type TableBound,
  tableBounds,
} from './housekeeping/index.js';
export {
  joinWatches,
  makeHeartbeatWorker,
  makeIncidentWorker,
  makeReportWorker,
  type WatchWorker,
} from './incidents/index.js';
export {
  type InstanceFacts,
  type InstanceLease,
  type JobEngine,
  type JobEngineParts,
  type JobLogPage,
  livingInstances,
  makeInstanceLease,
  makeJobEngine,
  readJobLog,
  rebuildFigures,
  roomIn,
  streamJobLog,
} from './jobs/index.js';
export type * from './jobs/job.rules.js';
export * from './jobs/job-contract.js';
export type { InstanceRow, JobRow } from './jobs/tables.js';
export type { otherCodes } from './kernel/codes.rules.js';
export * from './kernel/errors.js';
export type { Caller, SignedInCaller } from './kernel/index.js';
export { reasonOf, type StorageScope, scopedStorage, withinTime } from './kernel/index.js';
export * from './kernel/message.js';
export * from './kernel/message-of.js';
export { settings } from './kernel/tables.js';
export {
  type DatedArchive,
  makeCheckWorker,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './maintenance/index.js';
export type { HeartbeatState, Metric, MetricSample } from './monitoring/index.js';
export { findInstallation } from './monitoring/index.js';
export type { DeliveryWorker } from './notifications/index.js';
export {
  fileDeliveries,
  makeNotificationWorker,
  makeNotifierRegistry,
  type NotifierRegistry,
} from './notifications/index.js';
export {
  claimSecretKey,
  examineSecrets,
  findLostSecrets,
  forgetSecrets,
  isSecretKey,
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  type Resealed,
  type Resealing,
  refuseHalfMoved,
  resealSecrets,
  type StorageMove,
  verifySecrets,
} from './operator/index.js';
export {
  type CopyManifest,
  copyFolder,
  manifestFile,
  type OwnBackupFacts,
  type OwnKeys,
  ownBackupFacts,
  prepareOwnBackup,
  type Recovered,
  readCopy,
  settleRecovered,
  writeCopy,
} from './own-backup/index.js';
export type { PluginOrigin, PluginSource, StepWatch } from './plugins/index.js';
export {
  createPlugin,
  importPlugin,
  type LoadedPlugin,
  loadPlugins,
  makeToolVersion,
  type PluginDescription,
  PluginError,
  type PluginErrorCode,
  type PluginHost,
  type PluginHostOptions,
  type PluginManifest,
  type PluginSelection,
  type PluginTimes,
  pluginTimes,
  readPluginManifest,
  type SharedCache,
  startPlugin,
  stopPlugin,
  type ToolVersion,
} from './plugins/index.js';
export type { FileSystem, FolderEntry, FolderListing, SourceTally } from './ports/filesystem.js';
export type { Heartbeat } from './ports/heartbeat.js';
export * from './ports/key-tool.js';
export type * from './ports/remote-host.js';
export type { ScriptLine, ScriptOrder, ScriptResult, ScriptRunner } from './ports/script-runner.js';
export type { PasswordHash, Redactor, SecretBox } from './ports/services.js';
export type { SheetDocument, SheetPart, SheetPress } from './ports/sheet-press.js';
export { type HostKeyPin, hostKeyAlias, type KeyPairText, type SshFiles } from './ports/ssh-files.js';
export type { PackedOwners, TreePacker } from './ports/tree-packer.js';
export { recoveryUseCases, type SheetFormat } from './recovery/index.js';
export {
  type HiddenFrom,
  isHidden,
  recordingDriver,
  removeLeftFolders,
  reportUnreadableSources,
  unreadableSources,
  withoutRemoved,
} from './repositories/index.js';
export type { Call, RememberedAnswer, Ticket } from './requests/index.js';
export { type EntityTag, isUnchanged, tagText } from './requests/index.js';
export { idempotencyKeys, type Made } from './requests/tables.js';
export { makeScheduleWorker, noteSchedule, type ScheduleWorker } from './schedules/index.js';
export { newestSchema, schemaVersions } from './schema/migrations/index.js';
export { allEntities } from './schema/tables.js';
export { connectedDriver, hostKeyFingerprint, prepareSsh } from './ssh/index.js';
