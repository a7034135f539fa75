import { authUseCases } from './accounts/use-cases.js';
import type { CacheChoice, CacheControl } from './archives/cache/cache-control.js';
import { cacheUseCases } from './archives/cache-use-cases.js';
import { archiveDeletionHandler } from './archives/deletion.js';
import type { ArchiveListings } from './archives/listing/archive-listings.js';
import { archivesUseCases } from './archives/use-cases.js';
import type { AuditTrail } from './audit/audit-trail.js';
import { auditUseCases } from './audit/use-cases.js';
import { backupHandler } from './backups/backup-handler.js';
import { backupsUseCases } from './backups/use-cases.js';
import type { EventBus } from './events/event-bus.js';
import { eventsUseCases } from './events/use-cases.js';
import { forgetInScripts, scriptsUseCases } from './hooks/script-use-cases.js';
import type { JobHandler, JobQueue, ReadingLane } from './jobs/job-contract.js';
import { patientReads } from './kernel/transactions.js';
import { checkHandler } from './maintenance/check.js';
import { forgetInChecks } from './maintenance/check-schedules.js';
import { compactHandler } from './maintenance/compact.js';
import { pruneHandler } from './maintenance/prune.js';
import { queueAfterBackup } from './maintenance/queue-maintenance.js';
import { maintenanceUseCases } from './maintenance/use-cases.js';
import { collectMetrics } from './monitoring/collect-metrics.js';
import { systemUseCases } from './monitoring/use-cases.js';
import type { NotifierRegistry } from './notifications/notifier-registry.js';
import { forgetInNotifications } from './notifications/settings.js';
import { notificationsUseCases } from './notifications/use-cases.js';
import type { PluginHost } from './plugins/plugin-host.js';
import type { ToolVersion } from './plugins/tool-version.js';
import type { AlarmClock } from './ports/alarm-clock.js';
import type { BackupDriver } from './ports/backup-driver.js';
import type { CacheStore } from './ports/cache.js';
import type { FileSystem } from './ports/filesystem.js';
import type { KeyTool } from './ports/key-tool.js';
import type { RemoteHost } from './ports/remote-host.js';
import type { ScriptRunner } from './ports/script-runner.js';
import type { Clock, Log, PasswordHash, Redactor, SecretBox } from './ports/services.js';
import type { SshFiles } from './ports/ssh-files.js';
import type { StorageBackend } from './ports/storage.js';
import type { TreePacker } from './ports/tree-packer.js';
import { followConnection } from './repositories/follow-connection.js';
import { repositoriesUseCases } from './repositories/use-cases.js';
import { idempotencyUseCases } from './requests/idempotency.js';
import { versionsUseCases } from './requests/versions.js';
import { restoreHandler } from './restore/restore-handler.js';
import { restoreUseCases } from './restore/use-cases.js';
import { forgetInSchedules, settleSlot } from './schedules/settle-slot.js';
import { schedulesUseCases } from './schedules/use-cases.js';
import { sshUseCases } from './ssh/use-cases.js';

/** Settings of the process that use cases know. */
export interface CoreSettings {
  /** Absolute. Core makes what it needs below it. */
  dataDirectory: string;
  /** Absolute paths that the service lives by, its data folder among them, in words: no restore writes there. */
  reservedPaths: readonly { path: string; what: string }[];
  accessTokenMinutes: number;
  maxConcurrentJobs: number;
  /** How long a host may send nothing while its data is pulled. */
  stalledPullSeconds?: number;
  /** How long entries of the audit trail are kept; 0: for ever. */
  auditRetentionDays: number;
  /** As the environment says; what is stored goes over it. */
  cache: CacheChoice;
  /** How the environment names the external store. */
  cacheConnection: 'external_url' | 'local';
  /** Stable name of this installation, part of every archive's comment. */
  installation: string;
}

/** Everything a use case may ask for; each takes the part that it needs. */
export interface Dependencies {
  storage: StorageBackend;
  alarms: AlarmClock;
  cache: CacheStore;
  cacheControl: CacheControl;
  /** Listings of archives: one for the process, so that requests and jobs share builds. */
  listings: ArchiveListings;
  driver: BackupDriver;
  files: FileSystem;
  scriptRunner: ScriptRunner;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  passwords: PasswordHash;
  redactor: Redactor;
  settings: CoreSettings;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
  auditTrail: AuditTrail;
  plugins: Pick<PluginHost, 'describe'>;
  notifiers: NotifierRegistry;
  toolVersion: ToolVersion;
  remoteHost: RemoteHost;
  sshFiles: SshFiles;
  keyTool: KeyTool;
  trees: TreePacker;
  /** Release of this software, beside the version of the interface that it implements. */
  serverVersion: string;
}

/** Every operation of the product, by area. */
export const makeUseCases = (dependencies: Dependencies) => ({
  archives: archivesUseCases(dependencies),
  audit: auditUseCases(dependencies),
  auth: authUseCases(dependencies),
  backups: backupsUseCases(dependencies),
  cache: cacheUseCases(dependencies),
  events: eventsUseCases(dependencies),
  idempotency: idempotencyUseCases(dependencies),
  maintenance: maintenanceUseCases(dependencies),
  metrics: { collectMetrics: collectMetrics(dependencies) },
  notifications: notificationsUseCases(dependencies),
  repositories: repositoriesUseCases(dependencies, [
    forgetInSchedules,
    forgetInChecks,
    forgetInNotifications,
    forgetInScripts,
  ]),
  restore: restoreUseCases(dependencies),
  schedules: schedulesUseCases(dependencies),
  ssh: sshUseCases(dependencies, followConnection),
  scripts: scriptsUseCases(dependencies),
  system: systemUseCases(dependencies),
  versions: versionsUseCases(dependencies),
});

/** An interface, so that types made from it name it instead of spelling it out. */
export interface UseCases extends ReturnType<typeof makeUseCases> {}

/** One handler for each kind of job that this release does. */
export function makeJobHandlers(dependencies: Dependencies): JobHandler[] {
  const patient = { ...dependencies, storage: patientReads(dependencies.storage) };
  return [
    backupHandler(patient, [
      (session, ended) => settleSlot(patient, session, ended),
      (session, ended) => queueAfterBackup(patient.jobs, session, ended),
    ]),
    archiveDeletionHandler(patient),
    pruneHandler(patient),
    compactHandler(patient),
    checkHandler(patient),
    restoreHandler(patient),
  ];
}
