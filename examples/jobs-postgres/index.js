import { PostgresBackend } from '@agendajs/postgres-backend';
import { agendaTimerService } from '@holdfast/jobs-agenda';
import { definePlugin } from '@holdfast/plugin-api';
import pg from 'pg';
import { z } from 'zod';
import { keepRows } from './rows.js';

/** Timers in PostgreSQL, shared by all instances that use the same database. */
export default definePlugin({
  kind: 'jobs',
  configuration: z.object({ url: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://') }),
  create({ configuration: { url }, log }) {
    const pool = new pg.Pool({
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: 2000,
      query_timeout: 3000,
    });
    const backend = new PostgresBackend({ pool, tableName: 'holdfast_timers', disableNotifications: true });
    // Without a listener, an idle connection that breaks would end the service.
    pool.on('error', (error) => log.debug('a connection to PostgreSQL was lost', { error }));
    keepRows(backend, pool);
    return agendaTimerService({ backend, service: 'PostgreSQL', log, close: () => pool.end() });
  },
});
