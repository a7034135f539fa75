import { tmpdir } from 'node:os';
import type { CacheStore, PluginInstance } from '@holdfast/plugin-api';
import { RedisServer } from '../../../scripts/services/redis-server.mjs';
import plugin from '../src/index.js';

export type { RedisServer };

type Options = Parameters<typeof RedisServer.start>[1];

/** A server of the test's own. */
export const startRedis = (options?: Options): Promise<RedisServer> =>
  RedisServer.start(process.env.TEST_REDIS_SERVER, options);

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

/** The plugin as the host makes it, started; not necessarily connected. */
export async function openCache(url: string): Promise<PluginInstance<CacheStore>> {
  const cache = await plugin.create({
    configuration: plugin.configuration.parse({ url }),
    log,
    clock: Date,
    dataFolder: tmpdir(),
    fetch,
  });
  await cache.start?.();
  return cache;
}
