import type {
  AllUseCases,
  AuditTrail,
  DeliveryWorker,
  Dependencies,
  EventBus,
  FileSystem,
  HookWorker,
  HousekeepingWorker,
  IndexWorker,
  IsolatedImporter,
  JobEngine,
  KeyTool,
  LoadedSource,
  MeasureWorker,
  OwnKeys,
  PasswordHash,
  PluginHost,
  Redactor,
  RemoteHost,
  SecretBox,
  ServiceCache,
  SharedCache,
  SignIn,
  SlotWorker,
  SshFiles,
  ToolVersion,
  WatchWorker,
} from '@holdfast/core/server';
import type {
  CacheStore,
  Clock,
  Log,
  NotificationTransport,
  StatePublisher,
  StorageBackend,
  TimerService,
} from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { Express } from 'express';
import type { ProcessMetrics } from '../adapters/process-metrics.js';
import type { Configuration } from '../config.js';
import type { EventStreams } from '../http/events/event-streams.js';
import type { LifeStage } from '../http/readiness.js';

/** A typed key for one part of the service. */
export type Token<T> = symbol & { readonly $type?: T };
const token = <T>(name: string) => Symbol(name) as Token<T>;

export interface Parts {
  get<T>(token: Token<T>): T;
  /** All that were registered for the token, in their order. */
  all<T>(token: Token<T>): T[];
}

/** One for each kind of plugin, as the host loaded them. */
export const pluginTokens = {
  storage: token<StorageBackend>('storage plugin'),
  jobs: token<TimerService>('jobs plugin'),
  driver: token<BackupDriver>('driver plugin'),
  /** The memory of this process. */
  cache: token<CacheStore>('cache plugin'),
  /** Of an added cache plugin; there may be none. */
  sharedCache: token<SharedCache>('shared cache plugin'),
  /** Any number of them. */
  notify: token<NotificationTransport>('notify plugin'),
  importer: token<IsolatedImporter>('importer plugin'),
  source: token<LoadedSource>('source plugin'),
  signIn: token<SignIn>('sign-in plugin'),
  states: token<StatePublisher>('state plugin'),
};

export const tokens = {
  configuration: token<Configuration>('configuration'),
  clock: token<Clock>('clock'),
  log: token<Log>('log'),
  redactor: token<Redactor>('redactor'),
  secrets: token<SecretBox>('secrets'),
  ownKeys: token<OwnKeys>('ownKeys'),
  passwords: token<PasswordHash>('passwords'),
  files: token<FileSystem>('files'),
  remoteHost: token<RemoteHost>('remote host'),
  sshFiles: token<SshFiles>('SSH files'),
  keyTool: token<KeyTool>('key tool'),
  plugins: token<PluginHost>('plugins'),
  installation: token<string>('installation'),
  instanceId: token<string>('instance id'),
  serverVersion: token<string>('server version'),
  events: token<EventBus>('events'),
  auditTrail: token<AuditTrail>('audit trail'),
  cache: token<ServiceCache>('cache'),
  warming: token<() => void>('warming'),
  cacheFollower: token<() => void>('cache follower'),
  engine: token<JobEngine>('job engine'),
  planWorker: token<SlotWorker>('plan worker'),
  hookWorker: token<HookWorker>('hook worker'),
  measureWorker: token<MeasureWorker>('measure worker'),
  indexWorker: token<IndexWorker>('index worker'),
  housekeepingWorker: token<HousekeepingWorker>('housekeeping worker'),
  eventStreams: token<EventStreams>('event streams'),
  life: token<{ stage: LifeStage }>('life'),
  notificationWorker: token<DeliveryWorker>('notification worker'),
  watchWorker: token<WatchWorker>('watch worker'),
  toolVersion: token<ToolVersion>('tool version'),
  dependencies: token<Dependencies>('dependencies'),
  useCases: token<AllUseCases>('use cases'),
  processMetrics: token<ProcessMetrics>('process metrics'),
  storage: token<StorageBackend>('storage'),
  app: token<Express>('app'),
};
