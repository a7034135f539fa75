import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { parseRedisUrl } from './connection-url.js';
import { RedisCache } from './redis-cache.js';

/** A cache in a Redis server, shared by all instances that use it. */
export default definePlugin({
  kind: 'cache',
  configuration: z.object({
    url: z.string().transform((text, context) => {
      try {
        return parseRedisUrl(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    }),
    /** Used if the URL has none. */
    password: z.string().optional(),
  }),
  create: ({ configuration: { url, password }, log }) =>
    new RedisCache({ ...url, password: url.password ?? password }, log),
});
