/** The door for the server: use cases, the job engine, the plugin host. */

export { type AuditFacts, type AuditKind, outcomeOf, systemFacts } from './domain/audit-entry.js';
export type { Caller, SignedInCaller } from './domain/caller.js';
export { type EntityTag, isUnchanged, tagText } from './domain/entity-tag.js';
export type { FoundSource } from './domain/found-source.js';
export type * from './domain/job.js';
export type { Metric, MetricSample } from './domain/metric.js';
export { generatePassword, passwordFault } from './domain/password-rule.js';
export {
  type DatedArchive,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './domain/retention.js';
export { scriptText } from './domain/script.js';
export { hostKeyFingerprint } from './domain/ssh-fingerprint.js';
export * from './errors.js';
export type { ToolProcess } from './ports/backup-driver.js';
export type { CacheStore } from './ports/cache.js';
export type { FileSystem } from './ports/filesystem.js';
export * from './ports/key-tool.js';
export type {
  Examination,
  Finding,
  NotificationTransport,
  PluginDefinition,
  PluginInstance,
  PluginKind,
} from './ports/plugin.js';
export type * from './ports/remote-host.js';
export type { ScriptLine, ScriptOrder, ScriptResult, ScriptRunner } from './ports/script-runner.js';
export type { Clock, Log, PasswordHash, Redactor, SecretBox } from './ports/services.js';
export { type HostKeyPin, hostKeyAlias, type KeyPairText, type SshFiles } from './ports/ssh-files.js';
export type { StorageBackend, StorageSession } from './ports/storage.js';
export type { TreePacker } from './ports/tree-packer.js';
export { type AuditStore, appendEntries } from './runtime/audit/append-entries.js';
export { type AuditTrail, auditCommand, makeAuditTrail } from './runtime/audit/audit-trail.js';
export { type AuditVerdict, verifyTrail } from './runtime/audit/verify-trail.js';
export type { CacheChoice } from './runtime/cache/cache-control.js';
export { ServiceCache } from './runtime/cache/service-cache.js';
export type { DeliveryEngine } from './runtime/delivery-engine.js';
export { type EventBus, makeEventBus } from './runtime/event-bus.js';
export { type EventFeed, makeEventFeed } from './runtime/events/event-feed.js';
export { eventsBehind, type PlacedEvent, placeEvents } from './runtime/events/event-sequence.js';
export {
  type InstanceFacts,
  type InstanceLease,
  livingInstances,
  makeInstanceLease,
} from './runtime/instance-lease.js';
export * from './runtime/job-contract.js';
export { type JobEngine, type JobEngineParts, makeJobEngine } from './runtime/job-engine.js';
export { rebuildFigures } from './runtime/job-figures.js';
export { type JobLogPage, readJobLog, streamJobLog } from './runtime/job-log-reader.js';
export { joinRunners, type SlotRunner } from './runtime/join-runners.js';
export { ArchiveListings } from './runtime/listing/archive-listings.js';
export { sweepListingBuilds } from './runtime/listing/build-folder.js';
export { followArchiveChanges } from './runtime/listing/follow-archive-changes.js';
export { makeNotifierRegistry, type NotifierRegistry } from './runtime/notifier-registry.js';
export { PluginError, type PluginErrorCode } from './runtime/plugin-error.js';
export {
  loadPlugins,
  type PluginDescription,
  type PluginHost,
  type PluginHostOptions,
  type PluginSelection,
  type SharedCache,
} from './runtime/plugin-host.js';
export {
  createPlugin,
  importPlugin,
  type LoadedPlugin,
  type PluginTimes,
  pluginTimes,
  startPlugin,
  stopPlugin,
} from './runtime/plugin-loader.js';
export { type PluginManifest, readPluginManifest } from './runtime/plugin-manifest.js';
export type { PluginOrigin, PluginSource } from './runtime/plugin-source.js';
export type { StepWatch } from './runtime/plugin-step.js';
export { reasonOf } from './runtime/reason-of.js';
export { type StorageScope, scopedStorage } from './runtime/storage-scope.js';
export { makeToolVersion, type ToolVersion } from './runtime/tool-version.js';
export { withinTime } from './runtime/within-time.js';
export { schemaVersions } from './schema/migrations/index.js';
export {
  eventSequences,
  events,
  type InstanceRow,
  idempotencyKeys,
  type Made,
  settings,
  users,
} from './schema/tables.js';
export { warmListings } from './usecases/archives/warm-listings.js';
export { sweepAudit } from './usecases/audit/sweep-audit.js';
export { type AuthUseCases, authUseCases } from './usecases/auth/index.js';
export { type HookTender, makeHookTender } from './usecases/backups/hooks/hook-tender.js';
export { currentCacheChoice } from './usecases/cache/cache-choice.js';
export { followCacheSettings } from './usecases/cache/follow-cache-settings.js';
export type { CoreSettings, Dependencies } from './usecases/dependencies.js';
export type { EventFilter } from './usecases/events/index.js';
export { type Housekeeper, makeHousekeeper } from './usecases/housekeeping/make-housekeeper.js';
export { defaultRetention, type Retention } from './usecases/housekeeping/retention.js';
export { type TableBound, tableBounds } from './usecases/housekeeping/table-bounds.js';
export type { Call, Ticket } from './usecases/idempotency/find-call.js';
export type { RememberedAnswer } from './usecases/idempotency/idempotent-calls.js';
export { makeJobHandlers } from './usecases/job-handlers.js';
export { makeCheckRunner } from './usecases/maintenance/make-check-runner.js';
export { makeNotificationRunner } from './usecases/notifications/make-notification-runner.js';
export { notingDriver } from './usecases/repositories/noting-driver.js';
export { tellUnreadableSources, unreadableSources } from './usecases/repositories/source-remarks.js';
export { makeScheduleRunner, type ScheduleRunner } from './usecases/schedules/make-schedule-runner.js';
export { examineSecrets } from './usecases/secrets/examine-secrets.js';
export { findLostSecrets, forgetSecrets } from './usecases/secrets/forget-secrets.js';
export { claimSecretKey, isSecretKey } from './usecases/secrets/key-check.js';
export {
  type Resealed,
  type Resealing,
  resealSecrets,
  verifySecrets,
} from './usecases/secrets/reseal-secrets.js';
export { connectedDriver } from './usecases/ssh/connected-driver.js';
export { prepareSsh } from './usecases/ssh/prepare-ssh.js';
export {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  type StorageMove,
} from './usecases/storage-move/move-storage.js';
export { refuseHalfMoved } from './usecases/storage-move/target-state.js';
export { findInstallation } from './usecases/system/find-installation.js';
export { giveIdentities } from './usecases/system/give-identities.js';
export { makeUseCases, type UseCases } from './usecases/use-cases.js';
