/** The door for the server: use cases, the job engine, the plugin host. */

export { generatePassword, passwordFault } from './accounts/accounts.rules.js';
export { users } from './accounts/tables.js';
export { type AuthUseCases, authUseCases } from './accounts/use-cases.js';
export type { CoreSettings, Dependencies } from './app.js';
export { makeJobHandlers, makeUseCases, type UseCases } from './app.js';
export { warmListings } from './archives/browse.js';
export type { CacheChoice } from './archives/cache/cache-control.js';
export { currentCacheChoice, followCacheSettings } from './archives/cache/cache-settings.js';
export { ServiceCache } from './archives/cache/service-cache.js';
export { ArchiveListings } from './archives/listing/archive-listings.js';
export { sweepListingBuilds } from './archives/listing/build-listing.js';
export { followArchiveChanges } from './archives/listing/follow-archive-changes.js';
export { type AuditFacts, type AuditKind, outcomeOf, systemFacts } from './audit/audit-entry.rules.js';
export {
  type AuditStore,
  type AuditTrail,
  appendEntries,
  auditCommand,
  makeAuditTrail,
} from './audit/audit-trail.js';
export { sweepAudit } from './audit/use-cases.js';
export { type AuditVerdict, verifyTrail } from './audit/verify-trail.js';
export { joinRunners, type SlotRunner } from './calendar/join-runners.js';
export { type EventBus, makeEventBus } from './events/event-bus.js';
export { type EventFeed, makeEventFeed } from './events/event-feed.js';
export { eventsBehind, type PlacedEvent, placeEvents } from './events/event-sequence.js';
export { eventSequences, events } from './events/tables.js';
export type { EventFilter } from './events/use-cases.js';
export { type HookTender, makeHookTender } from './hooks/hook-tender.js';
export { scriptText } from './hooks/script.rules.js';
export { type Housekeeper, makeHousekeeper } from './housekeeping/make-housekeeper.js';
export { type TableBound, tableBounds } from './housekeeping/rules.js';
export { defaultRetention, type Retention } from './housekeeping/sweep.js';
export {
  type InstanceFacts,
  type InstanceLease,
  livingInstances,
  makeInstanceLease,
} from './jobs/instance-lease.js';
export type * from './jobs/job.rules.js';
export * from './jobs/job-contract.js';
export { type JobEngine, type JobEngineParts, makeJobEngine } from './jobs/job-engine.js';
export { rebuildFigures } from './jobs/job-figures.js';
export { type JobLogPage, readJobLog, streamJobLog } from './jobs/job-log-reader.js';
export type { InstanceRow } from './jobs/tables.js';
export type { Caller, SignedInCaller } from './kernel/caller.rules.js';
export * from './kernel/errors.js';
export { reasonOf } from './kernel/reason-of.js';
export { settings } from './kernel/tables.js';
export { withinTime } from './kernel/time-limits.js';
export { type StorageScope, scopedStorage } from './kernel/transactions.js';
export { makeCheckRunner } from './maintenance/make-check-runner.js';
export {
  type DatedArchive,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './maintenance/retention.rules.js';
export { giveIdentities } from './monitoring/give-identities.js';
export type { Metric, MetricSample } from './monitoring/metric.rules.js';
export { findInstallation } from './monitoring/system.js';
export type { DeliveryEngine } from './notifications/delivery-engine.js';
export { fileDeliveries } from './notifications/event-outbox.js';
export { makeNotifierRegistry, type NotifierRegistry } from './notifications/notifier-registry.js';
export { makeNotificationRunner } from './notifications/send-delivery.js';
export { findLostSecrets, forgetSecrets } from './operator/forget-secrets.js';
export { claimSecretKey, examineSecrets, isSecretKey } from './operator/key-check.js';
export {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  refuseHalfMoved,
  type StorageMove,
} from './operator/move-storage.js';
export {
  type Resealed,
  type Resealing,
  resealSecrets,
  verifySecrets,
} from './operator/reseal-secrets.js';
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
export type { PluginOrigin, PluginSource, StepWatch } from './plugins/plugin-step.js';
export { PluginError, type PluginErrorCode } from './plugins/plugin-step.js';
export { makeToolVersion, type ToolVersion } from './plugins/tool-version.js';
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
export { notingDriver } from './repositories/noting-driver.js';
export type { FoundSource } from './repositories/repository.rules.js';
export { tellUnreadableSources, unreadableSources } from './repositories/source-remarks.js';
export { type EntityTag, isUnchanged, tagText } from './requests/entity-tag.rules.js';
export type { Call, RememberedAnswer, Ticket } from './requests/idempotency.js';
export { idempotencyKeys, type Made } from './requests/tables.js';
export { makeScheduleRunner, type ScheduleRunner } from './schedules/schedule-runner.js';
export { schemaVersions } from './schema/migrations/index.js';
export { connectedDriver } from './ssh/connected-driver.js';
export { hostKeyFingerprint } from './ssh/ssh.rules.js';
export { prepareSsh } from './ssh/transport.js';
