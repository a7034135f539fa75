import { access, constants, mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  currentCacheChoice,
  type Dependencies,
  findInstallation,
  followArchiveChanges,
  giveIdentities,
  type InstanceLease,
  makeInstanceLease,
  makeJobHandlers,
  prepareSelfBackup,
  prepareSsh,
  refuseHalfMoved,
  reportUnreadableSources,
  sweepDrillScratch,
  sweepListingBuilds,
  systemFacts,
} from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { refuseHalfRecovered } from './adapters/half-recovered.js';
import { instanceFacts } from './adapters/instance-facts.js';
import { makePinoLog } from './adapters/pino-log.js';
import { makeRedactor } from './adapters/redactor.js';
import { makeSecretBox } from './adapters/secret-box.js';
import { findSecretKeys, type SecretKeys } from './adapters/secret-key.js';
import { secretsOfMonitor, secretsOfUri } from './adapters/secret-uri.js';
import { removeServiceFile, writeServiceFile } from './adapters/service-file.js';
import { systemClock } from './adapters/system-clock.js';
import { claimMatchingKey } from './adapters/wrong-secret-key.js';
import { compose, type Foundations } from './composition/container.js';
import { loadConfiguredPlugins } from './composition/load-plugins.js';
import { type Parts, tokens } from './composition/tokens.js';
import { type Configuration, ConfigurationError } from './config.js';
import { type Listening, listen } from './http/listen.js';
import { serverVersion } from './server-version.js';

export interface Service {
  url: string;
  log: Log;
  /** Stops accepting requests, gives running work the configured time, and ends. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Starts everything in order. If a step fails, the parts that were started are stopped and the error is
 * thrown. On the first start, `showPassword` receives the password generated for `admin`, immediately, so
 * that a later error does not hide it.
 */
export async function startService(
  configuration: Configuration,
  showPassword: (password: string) => void,
): Promise<Service> {
  const foundations = await prepareFoundations(configuration);
  const { plugins, log } = foundations;
  const place = { storage: plugins.ports.storage, clock: systemClock, log };
  const facts = instanceFacts(serverVersion);
  const lease = makeInstanceLease(place, facts);
  try {
    await registerInstance(foundations, lease);
    const { keys, ...prepared } = foundations;
    const installation = await findInstallation(plugins.ports.storage);
    await giveIdentities(plugins.ports.storage, installation);
    const parts = compose({ ...prepared, ownKeys: keys, installation, instanceId: facts.uid });
    const { auth } = parts.get(tokens.useCases);
    const password = await auth.ensureInitialAdmin(configuration.initialAdminPassword);
    if (password !== null) showPassword(password);
    await prepareSsh(parts.get(tokens.dependencies));
    await parts.get(tokens.cache).begin(await currentCacheChoice(parts.get(tokens.dependencies)));
    const listening = await listen(parts.get(tokens.app), { ...configuration, log });
    startWork(parts);
    await writeServiceFile(configuration.dataDirectory, listening.url, log);
    log.info('Holdfast is running', { url: listening.url, version: serverVersion });
    return { url: listening.url, log, stop: () => stopService(parts, listening, lease) };
  } catch (error) {
    await lease.end();
    await plugins.stop();
    throw error;
  }
}

type Prepared = Omit<Foundations, 'installation' | 'instanceId' | 'ownKeys'> & { keys: SecretKeys };

/**
 * Takes the instance lease, so that CLI commands that need exclusive access see this service. Throws if such
 * a command left the storage half-moved or changed the key.
 */
async function registerInstance(
  { plugins, configuration, keys }: Prepared,
  lease: InstanceLease,
): Promise<void> {
  await refuseHalfMoved(plugins.ports.storage);
  await lease.begin();
  const now = await findSecretKeys(configuration.dataDirectory, configuration.secretKey);
  if (!isDeepStrictEqual({ ...now, isNew: keys.isNew }, keys)) {
    throw new ConfigurationError('The secret key changed while Holdfast was starting. Start it again.');
  }
  await claimMatchingKey(plugins.ports.storage, { keys, place: configuration });
}

async function prepareFoundations(configuration: Configuration): Promise<Prepared> {
  const {
    dataDirectory,
    secretKey,
    initialAdminPassword,
    databaseUrl,
    mongodbUri,
    appriseApiUrl,
    heartbeatUrl,
    oidc,
    metricsToken,
    logLevel,
    cache,
  } = configuration;
  const redactor = makeRedactor();
  const log = makePinoLog({ level: logLevel, redactor });
  await makeDataDirectory(dataDirectory);
  await refuseHalfRecovered(dataDirectory);
  const keys = await findSecretKeys(dataDirectory, secretKey);
  const uris = [databaseUrl, mongodbUri, appriseApiUrl, cache.url].flatMap(secretsOfUri);
  const monitor = secretsOfMonitor(heartbeatUrl);
  const given = [initialAdminPassword, metricsToken, cache.password, oidc?.clientSecret, ...uris, ...monitor];
  for (const secret of [keys.current, ...keys.former, ...given]) if (secret) redactor.protect(secret);
  const plugins = await loadConfiguredPlugins(configuration, log, { redactor });
  await plugins.start();
  return { configuration, redactor, log, secrets: makeSecretBox(keys), keys, plugins, serverVersion };
}

async function makeDataDirectory(path: string): Promise<void> {
  const failure = (what: string) => (error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `DATA_DIR ${path} can't be ${what} (${error.code}). Set it to a folder that this user can write to.`,
    );
  };
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(failure('created'));
  await access(path, constants.W_OK).catch(failure('written'));
}

/** Starts the background work. */
function startWork({ get }: Parts): void {
  const dependencies = get(tokens.dependencies);
  const { log, settings, toolVersion } = dependencies;
  toolVersion.probe();
  void recordLifecycle(dependencies, 'serviceStart');
  void prepareSelfBackup(dependencies);
  void reportUnreadableSources(dependencies);
  followArchiveChanges(dependencies);
  get(tokens.warming);
  get(tokens.cacheFollower);
  sweepListingBuilds(settings.dataDirectory).catch((error: unknown) =>
    log.warn('could not remove leftover files of an earlier run', { error }),
  );
  sweepDrillScratch(dependencies).catch((error: unknown) =>
    log.warn('could not remove the scratch folders of drills', { error }),
  );
  const plans = get(tokens.planWorker);
  get(tokens.engine).start(makeJobHandlers(dependencies), plans.onTimer);
  plans.start();
  get(tokens.hookWorker).start();
  get(tokens.notificationWorker).start();
  get(tokens.housekeepingWorker).start();
  get(tokens.measureWorker).start();
  get(tokens.indexWorker).start();
  get(tokens.watchWorker).start();
  get(tokens.life).stage = 'running';
}

/** Resolves when the entry is stored. Never rejects. */
const recordLifecycle = (
  { auditTrail, clock, serverVersion }: Dependencies,
  action: 'serviceStart' | 'serviceStop',
): Promise<void> =>
  auditTrail.append(
    systemFacts(clock.now(), action, `Release ${serverVersion}, process ${process.pid} on ${hostname()}.`),
  );

/** Timeout for writing the last audit entries. */
const auditGraceMs = 2_000;
/** Timeout for messages that are being sent; the others stay in the outbox. */
const notificationGraceMs = 2_000;

async function stopService({ get }: Parts, listening: Listening, lease: InstanceLease): Promise<void> {
  const log = get(tokens.log);
  const { shutdownGraceSeconds, shutdownDrainSeconds } = get(tokens.configuration);
  const graceMs = shutdownGraceSeconds * 1000;
  log.info('Holdfast is stopping');
  get(tokens.life).stage = 'stopping';
  // Gives load balancers time to notice and to stop sending requests.
  if (shutdownDrainSeconds > 0) await sleep(shutdownDrainSeconds * 1000);
  get(tokens.eventStreams).stop();
  const stopWork = async () => {
    await get(tokens.planWorker).stop();
    await Promise.all([
      get(tokens.engine).stop(graceMs),
      get(tokens.hookWorker).stop(graceMs),
      get(tokens.housekeepingWorker).stop(),
      get(tokens.measureWorker).stop(),
      get(tokens.indexWorker).stop(),
      get(tokens.watchWorker).stop(),
    ]);
    await get(tokens.notificationWorker).stop(notificationGraceMs);
  };
  await Promise.all([listening.close(graceMs), stopWork()]);
  void recordLifecycle(get(tokens.dependencies), 'serviceStop');
  await get(tokens.auditTrail).end(auditGraceMs);
  get(tokens.warming)();
  get(tokens.cacheFollower)();
  await get(tokens.cache).end();
  await lease.end();
  await removeServiceFile(get(tokens.configuration).dataDirectory);
  for (const error of await get(tokens.plugins).stop()) log.error('a plugin failed to stop', { error });
}
