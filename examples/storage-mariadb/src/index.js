import { definePlugin } from '@holdfast/plugin-api';
import { sqlStorage } from '@holdfast/storage-sequelize';
import { z } from 'zod';
import { mariadbDialect } from './mariadb-dialect.js';

const configuration = z.object({
  url: z.string().refine((text) => URL.canParse(text) && /^(mariadb|mysql):\/\/.+\/.+/.test(text), {
    message: 'must be mariadb://user:password@host:port/database',
  }),
});

/** Storage in a MariaDB database. */
export default definePlugin({
  kind: 'storage',
  configuration,
  create: ({ configuration: { url } }) => sqlStorage({ dialect: mariadbDialect(url) }),
});
