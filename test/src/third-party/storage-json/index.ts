import { join } from 'node:path';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { JsonStorage } from './json-storage.js';

/** Storage in one JSON file, for one process. */
export default definePlugin({
  kind: 'storage',
  configuration: z.object({ file: z.string().optional() }),
  create: ({ configuration: { file }, dataFolder }) =>
    new JsonStorage(file ?? join(dataFolder, 'store.json')),
});
