import { type CacheChoice, type CoreSettings, ServiceCache, type SharedCache } from '@holdfast/core/server';
import type { Configuration } from '../config.js';
import { type Parts, pluginTokens, tokens } from './tokens.js';

/** The id of the cache plugin for external caches. */
const externalPlugin = 'redis';

export function makeServiceCache({ get, all }: Parts): ServiceCache {
  const configuration = get(tokens.configuration);
  const plugins = get(tokens.plugins);
  const sharedCache = all(pluginTokens.sharedCache)[0] ?? null;
  const { cache: choice } = cacheOfEnvironment(configuration, sharedCache);
  const { password } = configuration.cache;
  const parts = {
    memory: get(pluginTokens.cache),
    openMemory: (maxSizeMb: number) => plugins.openCache('memory', { maxSizeMb }),
    openExternal: async (url: string) =>
      sharedCache && url === nameOfShared(sharedCache)
        ? { ...sharedCache, close: async () => {} }
        : plugins.openCache(externalPlugin, url === choice.url ? { url, password } : { url }),
    log: get(tokens.log),
  };
  return new ServiceCache(parts, choice);
}

/** Used instead of a URL. The plugin host starts and stops the shared cache with the service. */
const nameOfShared = ({ id }: SharedCache) => `plugin:${id}`;

/** The cache settings of the environment, which also select an added cache plugin. */
export function cacheOfEnvironment(
  { cache }: Pick<Configuration, 'cache'>,
  shared: SharedCache | null,
): Pick<CoreSettings, 'cache' | 'cacheConnection'> {
  const { url, ttlSeconds, maxSizeMb, warmAfterBackup } = cache;
  const choice: CacheChoice = {
    url: shared ? nameOfShared(shared) : (url ?? urlOfHost(cache)),
    enabled: true,
    ttlSeconds,
    maxSizeMb,
    warmAfterBackup,
  };
  return { cache: choice, cacheConnection: url === undefined ? 'local' : 'external_url' };
}

function urlOfHost({ host, port, database }: Configuration['cache']): string | null {
  if (host === undefined || host.toLowerCase() === 'disabled') return null;
  return `redis://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}
