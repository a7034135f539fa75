import { RedisServer } from '../../../scripts/services/redis-server.mjs';

export type { RedisServer };

/** A Redis server of the test's own. */
export const startRedis = (options?: Parameters<typeof RedisServer.start>[1]): Promise<RedisServer> =>
  RedisServer.start(process.env.TEST_REDIS_SERVER, options);
