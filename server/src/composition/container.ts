import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  ArchiveListings,
  connectedDriver,
  type Dependencies,
  fileDeliveries,
  followCacheSettings,
  joinWatches,
  makeAuditTrail,
  makeEventBus,
  makeHeartbeatWorker,
  makeHookWorker,
  makeHousekeepingWorker,
  makeIncidentWorker,
  makeIndexWorker,
  makeJobEngine,
  makeMeasureWorker,
  makeNotificationWorker,
  makeNotifierRegistry,
  makePlanWorker,
  makeReportWorker,
  makeStateWorker,
  makeToolVersion,
  makeUseCases,
  noteSchedule,
  type PluginHost,
  parseCron,
  recordingDriver,
  removeLeftFolders,
  roomIn,
  scopedStorage,
  sweepAudit,
  type WatchWorker,
  warmListings,
  withoutRemoved,
} from '@holdfast/core/server';
import { type DependencyContainer, instanceCachingFactory, container as root } from 'tsyringe';
import { makeArchiveIndexes } from '../adapters/archive-index/index.js';
import { httpHeartbeat } from '../adapters/http-heartbeat.js';
import { isGone } from '../adapters/instance-facts.js';
import { localFiles } from '../adapters/local-files.js';
import { passkeyTool } from '../adapters/passkey-tool.js';
import { argon2PasswordHash } from '../adapters/password-hash.js';
import { makeProcessMetrics } from '../adapters/process-metrics.js';
import { shellScriptRunner } from '../adapters/scripts/shell-script-runner.js';
import { sheetPress } from '../adapters/sheet/index.js';
import { makeSshFiles } from '../adapters/ssh-key-files.js';
import { keyTool } from '../adapters/ssh-key-pair.js';
import { ssh2RemoteHost } from '../adapters/ssh2-remote-host/index.js';
import { systemClock } from '../adapters/system-clock.js';
import { tarPacker } from '../adapters/tar-packer.js';
import { programs, thisMachine } from '../adapters/this-machine.js';
import { ownDatabase, reservedPaths } from '../config.js';
import { makeApp } from '../http/app.js';
import { findConsole } from '../http/console/console-folder.js';
import { makeEventStreams } from '../http/events/event-streams.js';
import { metricsPage } from '../http/metrics.js';
import { currentScope } from '../http/middleware/request-scope.js';
import { readinessAnswer } from '../http/readiness.js';
import { cacheOfEnvironment, makeServiceCache } from './service-cache.js';
import { type Parts, pluginTokens, type Token, tokens } from './tokens.js';

/** The parts that must exist before the others can be created. */
export type Foundations = {
  [K in
    | 'configuration'
    | 'log'
    | 'redactor'
    | 'secrets'
    | 'ownKeys'
    | 'plugins'
    | 'installation'
    | 'instanceId'
    | 'serverVersion']: Given<(typeof tokens)[K]>;
};
type Given<T> = T extends Token<infer Value> ? Value : never;

/** All parts of a running service. Each is created once, on first use. */
export function compose(foundations: Foundations): Parts {
  const container = root.createChildContainer();
  const { pace } = foundations.configuration;
  const parts: Parts = {
    get: <T>(token: Token<T>) => container.resolve<T>(token),
    all: <T>(token: Token<T>) => (container.isRegistered(token) ? container.resolveAll<T>(token) : []),
  };
  const provide = providerIn(container, parts);
  for (const [name, value] of Object.entries(foundations)) {
    container.register(tokens[name as keyof Foundations], { useValue: value });
  }
  registerPlugins(container, foundations.plugins);
  provide(tokens.clock, () => systemClock);
  provide(tokens.passwords, () => argon2PasswordHash);
  provide(tokens.files, () => localFiles);
  provide(tokens.remoteHost, () => ssh2RemoteHost);
  provide(tokens.keyTool, () => keyTool);
  provide(tokens.sshFiles, ({ get }) => makeSshFiles(get(tokens.configuration)));
  provide(tokens.processMetrics, makeProcessMetrics);
  provide(tokens.storage, ({ get }) =>
    withoutRemoved(scopedStorage(get(tokens.processMetrics).timed(get(pluginTokens.storage)), currentScope)),
  );
  provide(tokens.events, ({ get }) =>
    makeEventBus({ clock: get(tokens.clock), log: get(tokens.log), fileMessages: fileDeliveries }),
  );
  provide(tokens.auditTrail, ({ get }) =>
    makeAuditTrail({
      // Unscoped: preconditions of a request must not apply to audit writes.
      storage: get(tokens.processMetrics).timed(get(pluginTokens.storage)),
      secrets: get(tokens.secrets),
      clock: get(tokens.clock),
      log: get(tokens.log),
    }),
  );
  provide(tokens.cache, (found) => makeServiceCache(found));
  provide(tokens.cacheFollower, ({ get }) =>
    followCacheSettings(get(tokens.dependencies), pace.cacheSettings),
  );
  provide(tokens.warming, ({ get }) => warmListings(get(tokens.dependencies)));
  provide(tokens.engine, makeEngine);
  provide(tokens.toolVersion, ({ get }) =>
    makeToolVersion({ driver: get(pluginTokens.driver), log: get(tokens.log) }),
  );
  provide(tokens.dependencies, makeDependencies);
  provide(tokens.planWorker, ({ get }) => makePlanWorker(get(tokens.dependencies), pace.plans));
  provide(tokens.notificationWorker, ({ get }) =>
    makeNotificationWorker(get(tokens.dependencies), { instanceId: randomUUID(), timings: pace.outbox }),
  );
  provide(tokens.measureWorker, ({ get }) =>
    makeMeasureWorker(get(tokens.dependencies), {
      perMinute: get(tokens.configuration).archiveSizesPerMinute,
    }),
  );
  provide(tokens.indexWorker, ({ get }) => makeIndexWorker(get(tokens.dependencies), pace.index));
  provide(tokens.housekeepingWorker, ({ get }) =>
    makeHousekeepingWorker(
      {
        ...get(tokens.dependencies),
        sweepAudit: sweepAudit.bind(null, get(tokens.dependencies)),
        sweepMachine: () => removeLeftFolders(get(tokens.dependencies)),
      },
      get(tokens.configuration).retention,
    ),
  );
  provide(tokens.watchWorker, makeWatchWorker);
  provide(tokens.life, () => ({ stage: 'starting' as const }));
  provide(tokens.eventStreams, ({ get }) =>
    makeEventStreams({ useCases: get(tokens.useCases), log: get(tokens.log) }),
  );
  provide(tokens.hookWorker, ({ get }) =>
    makeHookWorker({ ...get(tokens.dependencies), noteSchedule }, pace),
  );
  provide(tokens.useCases, ({ get }) => makeUseCases(get(tokens.dependencies)));
  provide(tokens.app, ({ get }) =>
    makeApp({
      useCases: get(tokens.useCases),
      log: get(tokens.log),
      clock: get(tokens.clock),
      redactor: get(tokens.redactor),
      eventStreams: get(tokens.eventStreams),
      sendReadiness: readinessAnswer({ useCases: get(tokens.useCases), life: get(tokens.life) }),
      sendMetrics: metricsPage({
        useCases: get(tokens.useCases),
        process: get(tokens.processMetrics),
        token: get(tokens.configuration).metricsToken,
      }),
      ...get(tokens.configuration),
      consoleFolder: get(tokens.configuration).console ? findConsole(get(tokens.log)) : undefined,
    }),
  );
  return parts;
}

const providerIn =
  (container: DependencyContainer, parts: Parts) =>
  <T>(token: Token<T>, make: (parts: Parts) => T) => {
    container.register<T>(token, { useFactory: instanceCachingFactory(() => make(parts)) });
  };

/** Each port under the token of its kind. */
function registerPlugins(container: DependencyContainer, { ports }: PluginHost): void {
  for (const [kind, token] of Object.entries(pluginTokens))
    for (const port of [ports[kind as keyof typeof pluginTokens] ?? []].flat())
      container.register<unknown>(token, { useValue: port });
}

function makeEngine({ get }: Parts) {
  return makeJobEngine({
    storage: get(tokens.storage),
    timers: get(pluginTokens.jobs),
    driver: get(pluginTokens.driver),
    events: get(tokens.events),
    clock: get(tokens.clock),
    log: get(tokens.log),
    redactor: get(tokens.redactor),
    settings: get(tokens.configuration),
    instanceId: get(tokens.instanceId),
    isGone,
    timings: get(tokens.configuration).pace.jobs,
    lacksRoom: roomIn(get(tokens.configuration).dataDirectory),
  });
}

function makeWatchWorker({ get, all }: Parts): WatchWorker {
  const dependencies = get(tokens.dependencies);
  const { heartbeatState: state } = dependencies;
  const { heartbeatUrl, report, pace } = get(tokens.configuration);
  const heartbeat = heartbeatUrl === undefined ? null : httpHeartbeat(heartbeatUrl);
  return joinWatches([
    makeIncidentWorker(dependencies, pace.incidents),
    makeReportWorker(dependencies, parseCron(report.cron, report.timeZone), pace.report),
    makeHeartbeatWorker(dependencies, { heartbeat, state, times: pace.heartbeat }),
    ...all(pluginTokens.states).map((publisher) => makeStateWorker(dependencies, publisher, pace.states)),
  ]);
}

function makeDependencies({ get, all }: Parts): Dependencies {
  const cacheControl = get(tokens.cache);
  const cache = get(tokens.processMetrics).counted(cacheControl);
  const log = get(tokens.log);
  const { queue, lanes } = get(tokens.engine);
  const ssh = {
    storage: get(tokens.storage),
    clock: get(tokens.clock),
    log: get(tokens.log),
    secrets: get(tokens.secrets),
    events: get(tokens.events),
    remoteHost: get(tokens.remoteHost),
    sshFiles: get(tokens.sshFiles),
  };
  const configuration = get(tokens.configuration);
  const { dataDirectory, accessTokenMinutes, maxConcurrentJobs, stalledPullSeconds, auditRetentionDays } =
    configuration;
  return {
    pace: configuration.pace,
    storage: get(tokens.storage),
    timers: get(pluginTokens.jobs),
    cache,
    cacheControl,
    listings: new ArchiveListings({
      cache,
      log,
      dataDirectory,
      lifetime: () => cacheControl.choice.ttlSeconds,
    }),
    indexes: makeArchiveIndexes({ dataDirectory, log, maxBytes: configuration.indexMaxMb * 2 ** 20 }),
    driver: recordingDriver(connectedDriver(get(pluginTokens.driver), ssh), {
      ...ssh,
      redactor: get(tokens.redactor),
    }),
    files: get(tokens.files),
    scriptRunner: shellScriptRunner,
    clock: get(tokens.clock),
    log,
    secrets: get(tokens.secrets),
    ownKeys: get(tokens.ownKeys),
    passwords: get(tokens.passwords),
    passkeyTool,
    redactor: get(tokens.redactor),
    settings: {
      dataDirectory,
      reservedPaths: reservedPaths(get(tokens.configuration)),
      ownDatabase: ownDatabase(get(tokens.configuration)),
      accessTokenMinutes,
      requireSecondFactor: configuration.requireSecondFactor,
      publicUrl: configuration.publicUrl,
      signIn: configuration.signIn,
      maxConcurrentJobs,
      stalledPullSeconds,
      auditRetentionDays,
      ...cacheOfEnvironment(get(tokens.configuration), all(pluginTokens.sharedCache)[0] ?? null),
      installation: get(tokens.installation),
    },
    jobs: queue,
    lanes,
    events: get(tokens.events),
    auditTrail: get(tokens.auditTrail),
    heartbeatState: { problem: null },
    plugins: get(tokens.plugins),
    notifiers: makeNotifierRegistry(all(pluginTokens.notify)),
    toolVersion: get(tokens.toolVersion),
    remoteHost: get(tokens.remoteHost),
    sshFiles: get(tokens.sshFiles),
    keyTool: get(tokens.keyTool),
    trees: tarPacker,
    here: thisMachine,
    programs,
    sourceKinds: all(pluginTokens.source),
    sheetPress,
    importers: all(pluginTokens.importer),
    signIns: all(pluginTokens.signIn),
    serverVersion: get(tokens.serverVersion),
  };
}
