import { definePlugin } from '@holdfast/plugin-api';
import { sqlStorage } from '@holdfast/storage-sequelize';
import { z } from 'zod';
import { postgresDialect } from './postgres-dialect.js';
import { serverOf } from './postgres-server.js';

const configuration = z.object({
  /** A secret: it may hold a password. */
  url: z.string().transform((url, context) => {
    try {
      return serverOf(url);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  }),
});

/** Storage in a database of PostgreSQL 12 or newer, for any number of instances. */
export default definePlugin({
  kind: 'storage',
  configuration,
  create: ({ configuration: { url: server }, log }) =>
    sqlStorage({ dialect: postgresDialect({ server, log }) }),
});
