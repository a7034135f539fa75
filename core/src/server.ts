/** The door for the server: use cases, the job engine, the plugin host. */

export { type AuditFacts, type AuditKind, outcomeOf, systemFacts } from './audit/audit-entry.rules.js';
export type { Caller, SignedInCaller } from './kernel/caller.rules.js';
export { type EntityTag, isUnchanged, tagText } from './requests/entity-tag.rules.js';
export type { FoundSource } from './repositories/found-source.rules.js';
export type * from './jobs/job.rules.js';
export type { Metric, MetricSample } from './monitoring/metric.rules.js';
export { generatePassword, passwordFault } from './accounts/password-rule.rules.js';
export {
  type DatedArchive,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './maintenance/retention.rules.js';
export { scriptText } from './hooks/script.rules.js';
export { hostKeyFingerprint } from './ssh/ssh-fingerprint.rules.js';
export * from './kernel/errors.js';
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
export { type AuditStore, appendEntries } from './audit/append-entries.js';
export { type AuditTrail, auditCommand, makeAuditTrail } from './audit/audit-trail.js';
export { type AuditVerdict, verifyTrail } from './audit/verify-trail.js';
export type { CacheChoice } from './archives/cache/cache-control.js';
export { ServiceCache } from './archives/cache/service-cache.js';
export type { DeliveryEngine } from './notifications/delivery-engine.js';
export { type EventBus, makeEventBus } from './events/event-bus.js';
export { type EventFeed, makeEventFeed } from './events/event-feed.js';
export { eventsBehind, type PlacedEvent, placeEvents } from './events/event-sequence.js';
export {
  type InstanceFacts,
  type InstanceLease,
  livingInstances,
  makeInstanceLease,
} from './jobs/instance-lease.js';
export * from './jobs/job-contract.js';
export { type JobEngine, type JobEngineParts, makeJobEngine } from './jobs/job-engine.js';
export { rebuildFigures } from './jobs/job-figures.js';
export { type JobLogPage, readJobLog, streamJobLog } from './jobs/job-log-reader.js';
export { joinRunners, type SlotRunner } from './calendar/join-runners.js';
export { ArchiveListings } from './archives/listing/archive-listings.js';
export { sweepListingBuilds } from './archives/listing/build-folder.js';
export { followArchiveChanges } from './archives/listing/follow-archive-changes.js';
export { makeNotifierRegistry, type NotifierRegistry } from './notifications/notifier-registry.js';
export { PluginError, type PluginErrorCode } from './plugins/plugin-error.js';
export {
  loadPlugins,
  type PluginDescription,
  type PluginHost,
  type PluginHostOptions,
  type PluginSelection,
  type SharedCache,
} from './plugins/plugin-host.js';
export {
  createPlugin,
  importPlugin,
  type LoadedPlugin,
  type PluginTimes,
  pluginTimes,
  startPlugin,
  stopPlugin,
} from './plugins/plugin-loader.js';
export { type PluginManifest, readPluginManifest } from './plugins/plugin-manifest.js';
export type { PluginOrigin, PluginSource } from './plugins/plugin-source.js';
export type { StepWatch } from './plugins/plugin-step.js';
export { reasonOf } from './kernel/reason-of.js';
export { type StorageScope, scopedStorage } from './kernel/storage-scope.js';
export { makeToolVersion, type ToolVersion } from './plugins/tool-version.js';
export { withinTime } from './kernel/within-time.js';
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
export { warmListings } from './archives/warm-listings.js';
export { sweepAudit } from './audit/sweep-audit.js';
export { type AuthUseCases, authUseCases } from './accounts/use-cases.js';
export { type HookTender, makeHookTender } from './hooks/hook-tender.js';
export { currentCacheChoice } from './archives/cache/cache-choice.js';
export { followCacheSettings } from './archives/cache/follow-cache-settings.js';
export type { CoreSettings, Dependencies } from './dependencies.js';
export type { EventFilter } from './events/use-cases.js';
export { type Housekeeper, makeHousekeeper } from './housekeeping/make-housekeeper.js';
export { defaultRetention, type Retention } from './housekeeping/retention.js';
export { type TableBound, tableBounds } from './housekeeping/table-bounds.js';
export type { Call, Ticket } from './requests/find-call.js';
export type { RememberedAnswer } from './requests/idempotent-calls.js';
export { makeJobHandlers } from './job-handlers.js';
export { makeCheckRunner } from './maintenance/make-check-runner.js';
export { makeNotificationRunner } from './notifications/make-notification-runner.js';
export { notingDriver } from './repositories/noting-driver.js';
export { tellUnreadableSources, unreadableSources } from './repositories/source-remarks.js';
export { makeScheduleRunner, type ScheduleRunner } from './schedules/make-schedule-runner.js';
export { examineSecrets } from './operator/examine-secrets.js';
export { findLostSecrets, forgetSecrets } from './operator/forget-secrets.js';
export { claimSecretKey, isSecretKey } from './operator/key-check.js';
export {
  type Resealed,
  type Resealing,
  resealSecrets,
  verifySecrets,
} from './operator/reseal-secrets.js';
export { connectedDriver } from './ssh/connected-driver.js';
export { prepareSsh } from './ssh/prepare-ssh.js';
export {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  type StorageMove,
} from './operator/move-storage.js';
export { refuseHalfMoved } from './operator/target-state.js';
export { findInstallation } from './monitoring/find-installation.js';
export { giveIdentities } from './monitoring/give-identities.js';
export { makeUseCases, type UseCases } from './use-cases.js';
