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
  prepareSsh,
  refuseHalfMoved,
  reportUnreadableSources,
  sweepListingBuilds,
  systemFacts,
} from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { instanceFacts } from './adapters/instance-facts.js';
import { makePinoLog } from './adapters/pino-log.js';
import { makeRedactor } from './adapters/redactor.js';
import { makeSecretBox } from './adapters/secret-box.js';
import { findSecretKeys, type SecretKeys } from './adapters/secret-key.js';
import { secretsOfUri } from './adapters/secret-uri.js';
import { systemClock } from './adapters/system-clock.js';
import { refuseWrongKey } from './adapters/wrong-secret-key.js';
import { compose, type Foundations, type Parts } from './composition/container.js';
import { loadConfiguredPlugins } from './composition/load-plugins.js';
import { tokens } from './composition/tokens.js';
import { type Configuration, ConfigurationError } from './config.js';
import { type Listening, listen } from './http/listen.js';
import { serverVersion } from './server-version.js';

export interface Service {
  url: string;
  log: Log;
  /** Takes nothing more, gives running work the configured time, and ends. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Starts everything in order. When a step fails, what ran is stopped and the error is thrown. `showPassword`
 * gets the password made for `admin` at the first start, at once: what fails later must not hide it.
 */
export async function startService(
  configuration: Configuration,
  showPassword: (password: string) => void,
): Promise<Service> {
  const foundations = await layFoundations(configuration);
  const { plugins, log } = foundations;
  const place = { storage: plugins.ports.storage, clock: systemClock, log };
  const facts = instanceFacts(serverVersion);
  const lease = makeInstanceLease(place, facts);
  try {
    await takePlace(foundations, lease);
    const { keys: _, ...laid } = foundations;
    const installation = await findInstallation(plugins.ports.storage);
    await giveIdentities(plugins.ports.storage, installation);
    const parts = compose({ ...laid, installation, instanceId: facts.uid });
    const { auth } = parts.get(tokens.useCases);
    const password = await auth.ensureInitialAdmin(configuration.initialAdminPassword);
    if (password !== null) showPassword(password);
    await prepareSsh(parts.get(tokens.dependencies));
    await parts.get(tokens.cache).begin(await currentCacheChoice(parts.get(tokens.dependencies)));
    const listening = await listen(parts.get(tokens.app), { ...configuration, log });
    startWork(parts);
    log.info('the service runs', { url: listening.url, version: serverVersion });
    return { url: listening.url, log, stop: () => stopService(parts, listening, lease) };
  } catch (error) {
    await lease.end();
    await plugins.stop();
    throw error;
  }
}

type Laid = Omit<Foundations, 'installation' | 'instanceId'> & { keys: SecretKeys };

/** Shows commands that need the storage alone that somebody is here; refuses what such a command left or changed. */
async function takePlace({ plugins, configuration, keys }: Laid, lease: InstanceLease): Promise<void> {
  await refuseHalfMoved(plugins.ports.storage);
  await lease.begin();
  const now = await findSecretKeys(configuration.dataDirectory, configuration.secretKey);
  if (!isDeepStrictEqual({ ...now, isNew: keys.isNew }, keys)) {
    throw new ConfigurationError('The secret key was changed while the service started: start it again.');
  }
  await refuseWrongKey(plugins.ports.storage, { keys, place: configuration });
}

async function layFoundations(configuration: Configuration): Promise<Laid> {
  const {
    dataDirectory,
    secretKey,
    initialAdminPassword,
    databaseUrl,
    mongodbUri,
    appriseApiUrl,
    metricsToken,
    logLevel,
    cache,
  } = configuration;
  const redactor = makeRedactor();
  const log = makePinoLog({ level: logLevel, redactor });
  await makeDataDirectory(dataDirectory);
  const keys = await findSecretKeys(dataDirectory, secretKey);
  const uris = [databaseUrl, mongodbUri, appriseApiUrl, cache.url].flatMap(secretsOfUri);
  const given = [initialAdminPassword, metricsToken, cache.password, ...uris];
  for (const secret of [keys.current, ...keys.former, ...given]) if (secret) redactor.protect(secret);
  const plugins = await loadConfiguredPlugins(configuration, log, { redactor });
  await plugins.start();
  return { configuration, redactor, log, secrets: makeSecretBox(keys), keys, plugins, serverVersion };
}

async function makeDataDirectory(path: string): Promise<void> {
  const refusal = (what: string) => (error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `DATA_DIR ${path} can't be ${what} (${error.code}); name a folder that this user may write.`,
    );
  };
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(refusal('made'));
  await access(path, constants.W_OK).catch(refusal('written'));
}

/** What goes on beside requests. */
function startWork({ get }: Parts): void {
  const dependencies = get(tokens.dependencies);
  const { log, settings, toolVersion } = dependencies;
  toolVersion.probe();
  void noteLife(dependencies, 'serviceStart');
  void reportUnreadableSources(dependencies);
  followArchiveChanges(dependencies);
  get(tokens.warming);
  get(tokens.cacheFollower);
  sweepListingBuilds(settings.dataDirectory).catch((error: unknown) =>
    log.warn('leftovers of an earlier run could not be removed', { error }),
  );
  const schedules = get(tokens.scheduleWorker);
  get(tokens.engine).start(makeJobHandlers(dependencies), schedules.onTimer);
  schedules.start();
  get(tokens.hookWorker).start();
  get(tokens.notificationWorker).start();
  get(tokens.housekeepingWorker).start();
  get(tokens.life).stage = 'running';
}

/** Resolves when it is stored; never rejects. */
const noteLife = (
  { auditTrail, clock, serverVersion }: Dependencies,
  action: 'serviceStart' | 'serviceStop',
): Promise<void> =>
  auditTrail.append(
    systemFacts(clock.now(), action, `Release ${serverVersion}, process ${process.pid} on ${hostname()}.`),
  );

/** What the last entries of the audit trail get. */
const auditGraceMs = 2_000;
/** What a message that is being sent gets; the others wait in the outbox. */
const notificationGraceMs = 2_000;

async function stopService({ get }: Parts, listening: Listening, lease: InstanceLease): Promise<void> {
  const log = get(tokens.log);
  const { shutdownGraceSeconds, shutdownDrainSeconds } = get(tokens.configuration);
  const graceMs = shutdownGraceSeconds * 1000;
  log.info('the service stops');
  get(tokens.life).stage = 'stopping';
  // Who asks for the readiness needs time to send requests elsewhere.
  if (shutdownDrainSeconds > 0) await sleep(shutdownDrainSeconds * 1000);
  get(tokens.eventStreams).stop();
  const stopWork = async () => {
    await get(tokens.scheduleWorker).stop();
    await Promise.all([
      get(tokens.engine).stop(graceMs),
      get(tokens.hookWorker).stop(graceMs),
      get(tokens.housekeepingWorker).stop(),
    ]);
    await get(tokens.notificationWorker).stop(notificationGraceMs);
  };
  await Promise.all([listening.close(graceMs), stopWork()]);
  void noteLife(get(tokens.dependencies), 'serviceStop');
  await get(tokens.auditTrail).end(auditGraceMs);
  get(tokens.warming)();
  get(tokens.cacheFollower)();
  await get(tokens.cache).end();
  await lease.end();
  for (const error of await get(tokens.plugins).stop()) log.error('a plugin did not stop well', { error });
}
