import type { Right } from '@holdfast/contracts';
import type { CacheStore, Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver, SourceHost } from '@holdfast/plugin-api/driver';
import type { ProgramHost } from '@holdfast/plugin-api/source';
import type { ArchiveListings, CacheChoice, CacheControl } from '../backup/archives/index.js';
import {
  archiveDeletionHandler,
  archivesUseCases,
  cacheUseCases,
  deletionJobFacts,
} from '../backup/archives/index.js';
import { backupHandler, backupJobFacts, backupsUseCases } from '../backup/backups/index.js';
import {
  drillHandler,
  drillJobFacts,
  drillsUseCases,
  forgetInDrills,
  plannedDrills,
  recallInDrills,
} from '../backup/drills/index.js';
import { forgetInScripts, scriptsUseCases } from '../backup/hooks/index.js';
import {
  checkHandler,
  checkJobFacts,
  compactHandler,
  compactJobFacts,
  forgetInMaintenance,
  keepingOf,
  maintenanceUseCases,
  passphraseHandler,
  passphraseJobFacts,
  plannedChecks,
  pruneHandler,
  pruneJobFacts,
  queueAfterBackup,
  recallInMaintenance,
} from '../backup/maintenance/index.js';
import { placesUseCases } from '../backup/places/index.js';
import {
  followConnection,
  forgetConnection,
  type HiddenFrom,
  makeHiddenFrom,
  recordFormerArchives,
  repositoriesUseCases,
  visibleStorage,
} from '../backup/repositories/index.js';
import { restoreHandler, restoreJobFacts, restoreUseCases } from '../backup/restore/index.js';
import {
  forgetInSchedules,
  giveScheduleUids,
  makeSlotWorker,
  noteSchedule,
  plannedBackups,
  recallInSchedules,
  type SlotWorker,
  schedulesUseCases,
  scriptsAround,
  settleSlot,
} from '../backup/schedules/index.js';
import { sourcesUseCases } from '../backup/sources/index.js';
import { sshUseCases } from '../backup/ssh/index.js';
import type { JobHandler, JobKind, JobKinds, JobQueue, ReadingLane } from '../engine/jobs/index.js';
import { findJob, giveJobUids, jobsUseCases } from '../engine/jobs/index.js';
import type { IsolatedImporter, LoadedSource, PluginHost, ToolVersion } from '../engine/plugins/index.js';
import {
  authUseCases,
  type SecondFactorPolicy,
  type SignIn,
  type SignInRules,
} from '../foundation/accounts/index.js';
import type { AuditTrail } from '../foundation/audit/index.js';
import { auditUseCases } from '../foundation/audit/index.js';
import type { EventBus } from '../foundation/events/index.js';
import { eventsUseCases } from '../foundation/events/index.js';
import { type Caller, type Pace, type Paced, patientReads } from '../foundation/kernel/index.js';
import type { ArchiveIndexes } from '../foundation/ports/archive-index.js';
import type { FileSystem } from '../foundation/ports/filesystem.js';
import type { KeyTool } from '../foundation/ports/key-tool.js';
import type { PasskeyTool } from '../foundation/ports/passkey-tool.js';
import type { RemoteHost } from '../foundation/ports/remote-host.js';
import type { ScriptRunner } from '../foundation/ports/script-runner.js';
import type { PasswordHash, Redactor, SecretBox } from '../foundation/ports/services.js';
import type { SheetPress } from '../foundation/ports/sheet-press.js';
import type { SshFiles } from '../foundation/ports/ssh-files.js';
import type { TreePacker } from '../foundation/ports/tree-packer.js';
import { historyUseCases, withSamples } from '../insight/history/index.js';
import { incidentsUseCases } from '../insight/incidents/index.js';
import { collectMetrics, type HeartbeatState, systemUseCases } from '../insight/monitoring/index.js';
import type { NotifierRegistry } from '../insight/notifications/index.js';
import {
  forgetInNotifications,
  notificationsUseCases,
  recallInNotifications,
} from '../insight/notifications/index.js';
import { overviewUseCases } from '../insight/overview/index.js';
import { discoveryHandler, discoveryJobFacts, movingInUseCases } from '../migration/moving-in/index.js';
import { type OwnKeys, recoveryUseCases, withOwnCopy } from '../migration/recovery/index.js';
import { idempotencyUseCases, versionsUseCases } from './requests/index.js';
import { newestSchema } from './schema/migrations/index.js';

/** Process settings that use cases read. */
export interface CoreSettings {
  /** Absolute path. Core creates its subfolders as needed. */
  dataDirectory: string;
  /** Absolute paths that no restore may write to, such as the data folder. `what` names them in messages. */
  reservedPaths: readonly { path: string; what: string }[];
  /** The PostgreSQL database of the service, if it is on this machine. */
  ownDatabase?: string | undefined;
  accessTokenMinutes: number;
  requireSecondFactor: SecondFactorPolicy;
  /** Where browsers find the service, with its base path. */
  publicUrl: string | undefined;
  signIn: SignInRules;
  maxConcurrentJobs: number;
  /** Idle timeout in seconds while data is pulled from a host. */
  stalledPullSeconds?: number;
  /** Days to retain audit entries; 0 retains them forever. */
  auditRetentionDays: number;
  /** Cache settings from the environment. Stored settings take precedence. */
  cache: CacheChoice;
  /** How the environment configures the external cache. */
  cacheConnection: 'external_url' | 'local';
  /** Stable name of this installation. It is part of every archive's comment. */
  installation: string;
}

/** Everything that use cases depend on. Each one picks the subset it needs. */
export interface Dependencies extends Paced {
  storage: StorageBackend;
  /** Also what a caller may not see; default: `storage`. */
  everything?: StorageBackend;
  /** The caller only sees some repositories. */
  isLimited?: boolean;
  timers: TimerService;
  cache: CacheStore;
  cacheControl: CacheControl;
  /** Archive listings: one instance per process, so that requests and jobs share builds. */
  listings: ArchiveListings;
  indexes: ArchiveIndexes;
  driver: BackupDriver;
  files: FileSystem;
  scriptRunner: ScriptRunner;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  ownKeys: OwnKeys;
  passwords: PasswordHash;
  passkeyTool: PasskeyTool;
  redactor: Redactor;
  settings: CoreSettings;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
  auditTrail: AuditTrail;
  heartbeatState: HeartbeatState;
  plugins: Pick<PluginHost, 'describe'>;
  notifiers: NotifierRegistry;
  toolVersion: ToolVersion;
  remoteHost: RemoteHost;
  sshFiles: SshFiles;
  keyTool: KeyTool;
  trees: TreePacker;
  here: SourceHost;
  programs: SourceHost & ProgramHost;
  sourceKinds: readonly LoadedSource[];
  sheetPress: SheetPress;
  importers: readonly IsolatedImporter[];
  signIns: readonly SignIn[];
  /** Release of this software, as opposed to the API version that it implements. */
  serverVersion: string;
}

const jobKinds: JobKinds = {
  backup: backupJobFacts,
  restore: restoreJobFacts,
  check: checkJobFacts,
  prune: pruneJobFacts,
  compact: compactJobFacts,
  archive_deletion: deletionJobFacts,
  drill: drillJobFacts,
  passphrase_change: passphraseJobFacts,
  discovery: discoveryJobFacts,
};

const recall = [recallInSchedules, recallInMaintenance, recallInDrills, recallInNotifications];

const roomsOf = (dependencies: Dependencies) => ({
  archives: archivesUseCases(dependencies, keepingOf(dependencies)),
  audit: auditUseCases(dependencies),
  auth: authUseCases(dependencies),
  backups: backupsUseCases(dependencies),
  cache: cacheUseCases(dependencies),
  drills: drillsUseCases(dependencies),
  events: eventsUseCases(dependencies),
  history: historyUseCases(dependencies),
  idempotency: idempotencyUseCases(dependencies),
  incidents: incidentsUseCases(dependencies),
  jobs: jobsUseCases(dependencies, jobKinds),
  maintenance: maintenanceUseCases(dependencies),
  metrics: { collectMetrics: collectMetrics(dependencies) },
  movingIn: movingInUseCases({ ...dependencies, recalls: recall }),
  notifications: notificationsUseCases(dependencies),
  overview: overviewUseCases(dependencies),
  places: placesUseCases(dependencies, scriptsAround.bind(null, dependencies)),
  recovery: recoveryUseCases(dependencies),
  repositories: repositoriesUseCases(dependencies, {
    forget: [forgetInSchedules, forgetInMaintenance, forgetInDrills, forgetInNotifications, forgetInScripts],
    recall,
  }),
  restore: restoreUseCases(dependencies),
  schedules: schedulesUseCases(dependencies),
  sources: sourcesUseCases(dependencies),
  ssh: sshUseCases(dependencies, { moved: followConnection, removed: forgetConnection }),
  scripts: scriptsUseCases(dependencies, noteSchedule),
  system: systemUseCases(dependencies),
  versions: versionsUseCases(dependencies),
});

/** An interface, so that derived types show its name instead of its full expansion. */
export interface UseCases extends ReturnType<typeof roomsOf> {}

export interface AllUseCases extends UseCases {
  /** The same for one caller: what they may not see, or lack the right to, does not exist there. */
  forCaller(caller: Caller, right: Right): UseCases;
  hiddenFrom: HiddenFrom;
}

/** Of limited callers: each has caches of its own, so that nothing of one is ever shown to another. */
const mostViewers = 50;

/** All use cases, by room. */
export function makeUseCases(dependencies: Dependencies): AllUseCases {
  const all = roomsOf(dependencies);
  const hiddenFrom = makeHiddenFrom(dependencies.storage);
  const { auth, idempotency } = all;
  const visibleTo = (viewer: Pick<Caller, 'isAdmin' | 'limits'>, right: Right): UseCases => {
    const storage = visibleStorage(dependencies.storage, (needs) => hiddenFrom(viewer, right, needs));
    const jobs: JobQueue = {
      ...dependencies.jobs,
      cancel: async (id, kind) => {
        await findJob(storage, kind, id);
        return dependencies.jobs.cancel(id, kind);
      },
      // It may name a job of another repository.
      waitsFor: async (id, kind) => {
        const other = await dependencies.jobs.waitsFor(id, kind);
        return other !== null && viewer.limits ? 'other work' : other;
      },
    };
    return {
      ...roomsOf({
        ...dependencies,
        storage,
        jobs,
        everything: dependencies.storage,
        isLimited: viewer.limits !== undefined,
      }),
      auth,
      idempotency,
    };
  };
  const forUsers = visibleTo({ isAdmin: false, limits: undefined }, 'see');
  const viewers = new Map<string, UseCases>();
  return {
    ...all,
    hiddenFrom,
    forCaller({ isAdmin, limits }, right) {
      if (!limits) return isAdmin ? all : forUsers;
      const key = JSON.stringify([limits, right]);
      const known = viewers.get(key) ?? visibleTo({ isAdmin: false, limits }, right);
      viewers.delete(key);
      viewers.set(key, known);
      const [oldest] = viewers.keys();
      if (viewers.size > mostViewers && oldest !== undefined) viewers.delete(oldest);
      return known;
    },
  };
}

/**
 * Gives random ids to schedules and waiting jobs that earlier releases created without one, and links
 * archives to the jobs that made them. Idempotent, and safe to run in several processes at once: existing ids
 * are kept.
 */
export async function giveIdentities(storage: StorageBackend, installation: string): Promise<void> {
  await giveScheduleUids(storage);
  await giveJobUids(storage);
  await recordFormerArchives(storage, installation);
}

/** Runs what is planned. */
export const makePlanWorker = (dependencies: Dependencies, times?: Partial<Pace['plans']>): SlotWorker =>
  makeSlotWorker(dependencies, [plannedBackups, plannedChecks, plannedDrills], times);

/** One handler for each kind of job. */
export function makeJobHandlers(dependencies: Dependencies): JobHandler[] {
  const patient = { ...dependencies, storage: patientReads(dependencies.storage) };
  const backups = backupHandler(patient, [
    (session, ended) => settleSlot(patient, session, ended),
    (session, ended, record) => queueAfterBackup(patient, session, { ended, record }),
  ]);
  const handlers: Record<JobKind, JobHandler> = {
    backup: withSamples(patient, withOwnCopy({ ...patient, schema: newestSchema }, backups)),
    archive_deletion: archiveDeletionHandler(patient),
    prune: withSamples(patient, pruneHandler(patient, noteSchedule)),
    compact: withSamples(patient, compactHandler(patient, noteSchedule)),
    check: checkHandler(patient),
    passphrase_change: passphraseHandler(patient),
    restore: restoreHandler(patient),
    drill: drillHandler(patient),
    discovery: discoveryHandler(patient),
  };
  return Object.values(handlers);
}
