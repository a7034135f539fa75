import { type PluginHost, schemaVersions } from '@holdfast/core/server';
import type { Examination, Finding } from '@holdfast/plugin-api';
import { loadConfiguredPlugins } from '../../composition/load-plugins.js';
import { cacheOfEnvironment } from '../../composition/service-cache.js';
import type { Configuration } from '../../config.js';
import { folderForPlugins } from '../folder-for-plugins.js';
import { quietLog } from '../quiet-log.js';
import { type Check, failed, ok, warning } from './check.js';
import { clockFindings } from './clock.js';
import type { ServicePlace } from './service-place.js';
import { storedChecks } from './stored-checks.js';

export interface OpenedPlugins {
  configuration: Configuration;
  /** Null if even the built-in plugins can't be loaded. */
  host: PluginHost | null;
  loading: Finding[];
  /** Removes temporary files. */
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
    const loading = [failed((error as Error).message, 'Holdfast cannot start until this is fixed.')];
    // Check the built-in plugins anyway.
    const host = await loadConfiguredPlugins({ ...used, plugins: [] }, quietLog).catch(() => null);
    return { configuration, host, loading, close };
  }
}

async function loadedFindings(host: PluginHost): Promise<Finding[]> {
  const loaded = await host.describe();
  return [ok(`${loaded.map(({ kind, id }) => `${kind}-${id}`).join(', ')} can be loaded.`)];
}

export function pluginChecks({ configuration, host, loading }: OpenedPlugins, place: ServicePlace): Check[] {
  const checks: Check[] = [{ area: 'plugins', run: async () => loading }];
  if (!host) return checks;
  const { storage, jobs, driver, sharedCache } = host.ports;
  const times: { server: string; time: number }[] = [];
  const examined = async (server: string, found: Examination | undefined): Promise<Finding[]> => {
    if (found?.serverTime !== undefined) times.push({ server, time: found.serverTime });
    return found?.findings ?? [ok('The plugin can be loaded. It can only be checked further while it runs.')];
  };
  checks.push({
    area: 'storage',
    run: async () => examined('the database', await storage.examine?.(schemaVersions)),
  });
  checks.push(...storedChecks(host, configuration, place));
  if (configuration.mongodbUri !== undefined)
    checks.push({ area: 'MongoDB', run: async () => examined('MongoDB', await jobs.examine?.()) });
  checks.push({
    area: 'Borg',
    run: async () => [
      ok(`${(await driver.version()).line} was found and is supported.`),
      ...((await driver.examine?.())?.findings ?? []),
    ],
  });
  const { url } = cacheOfEnvironment(configuration, sharedCache).cache;
  if (sharedCache) checks.push({ area: 'cache store', run: async () => examined(sharedCache.id, undefined) });
  else if (url !== null)
    checks.push({ area: 'cache store', run: () => cacheStore(host, configuration, url) });
  checks.push({ area: 'notifications', run: () => transports(host) });
  checks.push({ area: 'clock', run: async () => clockFindings(times) });
  return checks;
}

/** Opened in the same way as by the service; this stores nothing. */
async function cacheStore(host: PluginHost, { cache }: Configuration, url: string): Promise<Finding[]> {
  const { password } = cache;
  const opened = await host.openCache('redis', password === undefined ? { url } : { url, password });
  try {
    const problem = await opened.health();
    if (problem === null) return [ok('The cache store can be written and read.')];
    return [warning(problem, 'Until it works, Holdfast caches listings in memory.')];
  } finally {
    await opened.close();
  }
}

async function transports(host: PluginHost): Promise<Finding[]> {
  const all = (await host.describe()).filter(({ kind }) => kind === 'notify');
  return all.map(({ id, capabilities, health }) =>
    health === null
      ? ok(`${id} supports ${capabilities.join(', ')}.`)
      : failed(health, `Messages through ${id} are delayed until it works again.`),
  );
}
