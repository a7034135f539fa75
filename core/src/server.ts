/** The door for the server: use cases, the job engine, the plugin host. */

export { Message, type MessageParams, mapParams, say } from '@holdfast/plugin-api';
export type { CoreSettings, Dependencies } from './app/app.js';
export {
  type AllUseCases,
  giveIdentities,
  makeJobHandlers,
  makePlanWorker,
  makeUseCases,
  type UseCases,
} from './app/app.js';
export {
  defaultRetention,
  type HousekeepingWorker,
  makeHousekeepingWorker,
  type Retention,
  type TableBound,
  tableBounds,
} from './app/housekeeping/index.js';
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
} from './app/operator/index.js';
export type { Call, RememberedAnswer, Ticket } from './app/requests/index.js';
export { type EntityTag, isUnchanged, tagText } from './app/requests/index.js';
export { idempotencyKeys, type Made } from './app/requests/tables.js';
export { newestSchema, schemaVersions } from './app/schema/migrations/index.js';
export { allEntities } from './app/schema/tables.js';
export type { CacheChoice } from './backup/archives/index.js';
export {
  ArchiveListings,
  currentCacheChoice,
  followArchiveChanges,
  followCacheSettings,
  type IndexWorker,
  type MeasureWorker,
  makeIndexWorker,
  makeMeasureWorker,
  ServiceCache,
  sweepListingBuilds,
  warmListings,
} from './backup/archives/index.js';
export { sweepDrillScratch } from './backup/drills/index.js';
export { type HookWorker, makeHookWorker, scriptText } from './backup/hooks/index.js';
export {
  type DatedArchive,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './backup/maintenance/index.js';
export {
  type HiddenFrom,
  recordingDriver,
  removeLeftFolders,
  reportUnreadableSources,
  shownRow,
  unreadableSources,
  withoutRemoved,
} from './backup/repositories/index.js';
export {
  type CronRule,
  noteSchedule,
  parseCron,
  type SlotWorker,
} from './backup/schedules/index.js';
export { connectedDriver, hostKeyFingerprint, prepareSsh } from './backup/ssh/index.js';
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
} from './engine/jobs/index.js';
export type * from './engine/jobs/job.rules.js';
export * from './engine/jobs/job-contract.js';
export type { InstanceRow, JobRow } from './engine/jobs/tables.js';
export type { PluginOrigin, PluginSource, StepWatch } from './engine/plugins/index.js';
export {
  createPlugin,
  ImporterFailure,
  type ImporterProcess,
  type IsolatedImporter,
  importPlugin,
  isolatedImporter,
  type LoadedPlugin,
  type LoadedSource,
  loadPlugins,
  makeToolVersion,
  type OpenImporter,
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
} from './engine/plugins/index.js';
export {
  type AuthUseCases,
  authUseCases,
  generatePassword,
  passwordProblem,
  type SignIn,
  type SignInRules,
} from './foundation/accounts/index.js';
export { users } from './foundation/accounts/tables.js';
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
} from './foundation/audit/index.js';
export type { EventFilter } from './foundation/events/index.js';
export {
  type EventBus,
  type EventFeed,
  eventsBehind,
  makeEventBus,
  makeEventFeed,
  type PlacedEvent,
  placeEvents,
} from './foundation/events/index.js';
export { eventSequences, events } from './foundation/events/tables.js';
export type { otherCodes } from './foundation/kernel/codes.rules.js';
export * from './foundation/kernel/errors.js';
export type { Caller, SignedInCaller } from './foundation/kernel/index.js';
export {
  caseless,
  composed,
  escapeName,
  inTurn,
  type Pace,
  paces,
  reasonOf,
  type StorageScope,
  scopedStorage,
  shellWord,
  withinTime,
  wrapSession,
  wrapStorage,
} from './foundation/kernel/index.js';
export * from './foundation/kernel/message-of.js';
export { asReason } from './foundation/kernel/sentences.js';
export { settings } from './foundation/kernel/tables.js';
export * from './foundation/ports/archive-index.js';
export * from './foundation/ports/filesystem.js';
export type { Heartbeat } from './foundation/ports/heartbeat.js';
export * from './foundation/ports/key-tool.js';
export type { Credential, PasskeyTool, WebAuthnJson } from './foundation/ports/passkey-tool.js';
export type * from './foundation/ports/remote-host.js';
export type {
  ScriptLine,
  ScriptOrder,
  ScriptResult,
  ScriptRunner,
} from './foundation/ports/script-runner.js';
export type { PasswordHash, Redactor, SecretBox } from './foundation/ports/services.js';
export type { SheetDocument, SheetPart, SheetPress } from './foundation/ports/sheet-press.js';
export {
  type HostKeyPin,
  hostKeyAlias,
  type KeyPairText,
  type SshFiles,
} from './foundation/ports/ssh-files.js';
export type { PackedOwners, TreePacker } from './foundation/ports/tree-packer.js';
export {
  joinWatches,
  makeHeartbeatWorker,
  makeIncidentWorker,
  makeReportWorker,
  type WatchWorker,
} from './insight/incidents/index.js';
export type { HeartbeatState, Metric, MetricSample } from './insight/monitoring/index.js';
export { findInstallation } from './insight/monitoring/index.js';
export type { DeliveryWorker } from './insight/notifications/index.js';
export {
  fileDeliveries,
  makeNotificationWorker,
  makeNotifierRegistry,
  type NotifierRegistry,
} from './insight/notifications/index.js';
export { makeStateWorker } from './insight/overview/index.js';
export { settingsProblem } from './migration/moving-in/index.js';
export {
  type CopyManifest,
  copyFolder,
  makeSheet,
  manifestFile,
  type OwnKeys,
  prepareSelfBackup,
  type Recovered,
  readCopy,
  type SelfBackupFacts,
  type SheetFormat,
  selfBackupFacts,
  settleRecovered,
  writeCopy,
} from './migration/recovery/index.js';
