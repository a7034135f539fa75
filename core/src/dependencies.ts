import type { CacheChoice, CacheControl } from './archives/cache/cache-control.js';
import type { ArchiveListings } from './archives/listing/archive-listings.js';
import type { AuditTrail } from './audit/audit-trail.js';
import type { EventBus } from './events/event-bus.js';
import type { JobQueue, ReadingLane } from './jobs/job-contract.js';
import type { NotifierRegistry } from './notifications/notifier-registry.js';
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
