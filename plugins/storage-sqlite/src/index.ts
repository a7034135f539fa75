import { isAbsolute } from 'node:path';
import { definePlugin } from '@holdfast/plugin-api';
import { sqlStorage } from '@holdfast/storage-sequelize';
import { z } from 'zod';
import { sqliteDialect } from './sqlite-dialect.js';

const configuration = z.object({
  /** The database file; a missing one is made at the first start. */
  file: z.string().refine((file) => isAbsolute(file) && !file.includes('\0'), 'must be an absolute path'),
});

/** Storage in one SQLite file on a local disk, for any number of processes of this machine. */
export default definePlugin({
  kind: 'storage',
  configuration,
  create: ({ configuration: { file } }) => sqlStorage({ dialect: sqliteDialect(file) }),
});
