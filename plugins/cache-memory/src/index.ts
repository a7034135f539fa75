import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { MemoryCache } from './memory-cache.js';

/** The cache in the memory of the process: bounded, lost on restart, one instance. */
export default definePlugin({
  kind: 'cache',
  configuration: z.object({
    /** In MiB (2^20 bytes) of keys and values. */
    maxSizeMb: z.number().int().min(1).max(1_048_576).default(2048),
  }),
  create: ({ configuration, clock }) =>
    new MemoryCache({ maxBytes: configuration.maxSizeMb * 1_048_576, clock }),
});
