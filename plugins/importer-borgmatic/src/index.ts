import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';

/** Configuration files of borgmatic 1.7 to 2.1. */
export default definePlugin({
  kind: 'importer',
  configuration: z.object({}),
  create: () => ({
    read: async (files, environment) => (await import('./read.js')).read(files, environment),
    write: async (repositories, options) => (await import('./write.js')).write(repositories, options),
  }),
});
