import type { CacheStore, Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { authUseCases } from './accounts/index.js';
import type { ArchiveListings, CacheChoice, CacheControl } from './archives/index.js';
import { archiveDeletionHandler, archivesUseCases, cacheUseCases } from './archives/index.js';
import type { AuditTrail } from './audit/index.js';
import { auditUseCases } from './audit/index.js';
import { backupHandler, backupsUseCases } from './backups/index.js';
import type { EventBus } from './events/index.js';
import { eventsUseCases } from './events/index.js';
import { forgetInScripts, scriptsUseCases } from './hooks/index.js';
import type { JobHandler, JobQueue, ReadingLane } from './jobs/index.js';
import { giveJobUids } from './jobs/index.js';
import { patientReads } from './kernel/index.js';
import {
  checkHandler,
  compactHandler,
  forgetInChecks,
  maintenanceUseCases,
  pruneHandler,
  queueAfterBackup,
} from './maintenance/index.js';
import { collectMetrics, systemUseCases } from './monitoring/index.js';
import type { NotifierRegistry } from './notifications/index.js';
import { forgetInNotifications, notificationsUseCases } from './notifications/index.js';
import type { PluginHost, ToolVersion } from './plugins/index.js';
import type { FileSystem } from './ports/filesystem.js';
import type { KeyTool } from './ports/key-tool.js';
import type { RemoteHost } from './ports/remote-host.js';
import type { ScriptRunner } from './ports/script-runner.js';
import type { PasswordHash, Redactor, SecretBox } from './ports/services.js';
import type { SshFiles } from './ports/ssh-files.js';
import type { TreePacker } from './ports/tree-packer.js';
import {
  followConnection,
  forgetConnection,
  recordFormerArchives,
  repositoriesUseCases,
} from './repositories/index.js';
import { idempotencyUseCases, versionsUseCases } from './requests/index.js';
import { restoreHandler, restoreUseCases } from './restore/index.js';
import {
  forgetInSchedules,
  giveScheduleUids,
  noteSchedule,
  schedulesUseCases,
  settleSlot,
} from './schedules/index.js';
import { sshUseCases } from './ssh/index.js';

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
  timers: TimerService;
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
  ssh: sshUseCases(dependencies, { moved: followConnection, removed: forgetConnection }),
  scripts: scriptsUseCases(dependencies, noteSchedule),
  system: systemUseCases(dependencies),
  versions: versionsUseCases(dependencies),
});

/** An interface, so that types made from it name it instead of spelling it out. */
export interface UseCases extends ReturnType<typeof makeUseCases> {}

/**
 * Gives schedules and waiting jobs of before there were random ids one, and records which archives are of which job.
 * May be repeated, by several processes at once: what has an identity keeps it.
 */
export async function giveIdentities(storage: StorageBackend, installation: string): Promise<void> {
  await giveScheduleUids(storage);
  await giveJobUids(storage);
  await recordFormerArchives(storage, installation);
}

/** One handler for each kind of job that this release does. */
export function makeJobHandlers(dependencies: Dependencies): JobHandler[] {
  const patient = { ...dependencies, storage: patientReads(dependencies.storage) };
  return [
    backupHandler(patient, [
      (session, ended) => settleSlot(patient, session, ended),
      (session, ended) => queueAfterBackup(patient.jobs, session, ended),
    ]),
    archiveDeletionHandler(patient),
    pruneHandler(patient, noteSchedule),
    compactHandler(patient, noteSchedule),
    checkHandler(patient),
    restoreHandler(patient),
  ];
}
