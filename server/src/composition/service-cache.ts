import {
  type CacheChoice,
  type CoreSettings,
  type Log,
  type PluginHost,
  ServiceCache,
} from '@holdfast/core/server';
import type { Configuration } from '../config.js';

/** The id of the cache plugin that speaks to external stores. */
const externalPlugin = 'redis';

export function makeServiceCache(
  configuration: Pick<Configuration, 'cache'>,
  { plugins, log }: { plugins: PluginHost; log: Log },
): ServiceCache {
  const { cache: choice } = cacheOfEnvironment(configuration);
  const { password } = configuration.cache;
  const parts = {
    memory: plugins.ports.cache,
    openMemory: (maxSizeMb: number) => plugins.openCache('memory', { maxSizeMb }),
    openExternal: (url: string) =>
      plugins.openCache(externalPlugin, url === choice.url ? { url, password } : { url }),
    log,
  };
  return new ServiceCache(parts, choice);
}

/** What the environment says of the cache. */
export function cacheOfEnvironment({
  cache,
}: Pick<Configuration, 'cache'>): Pick<CoreSettings, 'cache' | 'cacheConnection'> {
  const { url, ttlSeconds, maxSizeMb, warmAfterBackup } = cache;
  const choice: CacheChoice = {
    url: url ?? urlOfHost(cache),
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
