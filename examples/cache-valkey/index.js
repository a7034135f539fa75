import { definePlugin } from '@holdfast/plugin-api';
import KeyvValkey from '@keyv/valkey';
import { z } from 'zod';

const settings = { useRedisSets: false, lazyConnect: true, connectTimeout: 3000, commandTimeout: 3000 };

/**
 * The published adapter, plus what the service's cache needs beyond it: values are bytes, and keys are returned as
 * given.
 */
class ValkeyCache extends KeyvValkey {
  namespace = 'holdfast';

  async get(key) {
    return (await this.redis.getBuffer(this._getKeyName(key))) ?? undefined;
  }

  async *iterator() {
    const prefix = this._getKeyName('');
    for await (const keys of this.redis.scanStream({ match: `${prefix}*`, count: 1000 }))
      for (const key of keys) yield [key.slice(prefix.length), undefined];
  }

  async health() {
    const answer = await this.redis.ping().catch(({ message }) => message);
    return answer === 'PONG' ? null : `Valkey does not answer: ${answer}`;
  }

  stop = () => this.disconnect();
}

/** A cache in a Valkey or Redis server. */
export default definePlugin({
  kind: 'cache',
  configuration: z.object({ url: z.string().default('redis://127.0.0.1:6379') }),
  create({ configuration: { url }, log }) {
    const cache = new ValkeyCache(url, { ...settings, maxRetriesPerRequest: 0 });
    // It reconnects by itself. Without a listener, the first failure would end the service.
    cache.on('error', (error) => log.debug('Valkey is unreachable', { error }));
    return cache;
  },
});
