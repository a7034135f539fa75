import { type PluginHost, schemaVersions } from '@holdfast/core/server';
import type { Examination, Finding } from '@holdfast/plugin-api';
import { loadConfiguredPlugins } from '../../composition/load-plugins.js';
import { cacheOfEnvironment } from '../../composition/service-cache.js';
import type { Configuration } from '../../config.js';
import { folderForPlugins } from '../folder-for-plugins.js';
import { quietLog } from '../quiet-log.js';
import { type Check, failed, ok, warning } from './check.js';
import { clockFindings } from './clock.js';
import { storedChecks } from './stored-checks.js';

export interface OpenedPlugins {
  configuration: Configuration;
  /** Null when not even the built-in ones can be used. */
  host: PluginHost | null;
  loading: Finding[];
  /** Removes what was made for the look. */
  close(): Promise<void>;
}

/** Loads the plugins without starting them. */
export async function openPlugins(configuration: Configuration): Promise<OpenedPlugins> {
  const { dataDirectory, close } = await folderForPlugins(configuration);
  const used = { ...configuration, dataDirectory };
  try {
    const host = await loadConfiguredPlugins(used, quietLog);
    return { configuration, host, loading: await loadedFindings(host), close };
  } catch (error) {
    const loading = [failed((error as Error).message, 'The service does not start before that is mended.')];
    // The others are looked at all the same.
    const host = await loadConfiguredPlugins({ ...used, plugins: [] }, quietLog).catch(() => null);
    return { configuration, host, loading, close };
  }
}

async function loadedFindings(host: PluginHost): Promise<Finding[]> {
  const loaded = await host.describe();
  return [ok(`${loaded.map(({ kind, id }) => `${kind}-${id}`).join(', ')} can be loaded.`)];
}

export function pluginChecks({ configuration, host, loading }: OpenedPlugins): Check[] {
  const checks: Check[] = [{ area: 'plugins', look: async () => loading }];
  if (!host) return checks;
  const { storage, jobs, driver, sharedCache } = host.ports;
  const times: { server: string; time: number }[] = [];
  const examined = async (server: string, found: Examination | undefined): Promise<Finding[]> => {
    if (found?.serverTime !== undefined) times.push({ server, time: found.serverTime });
    return found?.findings ?? [ok('Its plugin can be loaded, and tells no more without being started.')];
  };
  checks.push({
    area: 'storage',
    look: async () => examined('the database', await storage.examine?.(schemaVersions)),
  });
  checks.push(...storedChecks(host, configuration));
  if (configuration.mongodbUri !== undefined)
    checks.push({ area: 'MongoDB', look: async () => examined('MongoDB', await jobs.examine?.()) });
  checks.push({
    area: 'backup tool',
    look: async () => [
      ok(`${(await driver.version()).line} is found and supported.`),
      ...((await driver.examine?.())?.findings ?? []),
    ],
  });
  const { url } = cacheOfEnvironment(configuration, sharedCache).cache;
  if (sharedCache)
    checks.push({ area: 'cache store', look: async () => examined(sharedCache.id, undefined) });
  else if (url !== null)
    checks.push({ area: 'cache store', look: () => cacheStore(host, configuration, url) });
  checks.push({ area: 'notifications', look: () => transports(host) });
  checks.push({ area: 'clock', look: async () => clockFindings(times) });
  return checks;
}

/** Opened like the service does it, which leaves nothing in the store. */
async function cacheStore(host: PluginHost, { cache }: Configuration, url: string): Promise<Finding[]> {
  const { password } = cache;
  const opened = await host.openCache('redis', password === undefined ? { url } : { url, password });
  try {
    const problem = await opened.health();
    if (problem === null) return [ok('The cache store takes and gives values.')];
    return [warning(problem, 'The service keeps listings in its memory meanwhile.')];
  } finally {
    await opened.close();
  }
}

async function transports(host: PluginHost): Promise<Finding[]> {
  const all = (await host.describe()).filter(({ kind }) => kind === 'notify');
  return all.map(({ id, capabilities, health }) =>
    health === null
      ? ok(`${id} serves ${capabilities.join(', ')}.`)
      : failed(health, `Messages through ${id} wait until it is back.`),
  );
}
