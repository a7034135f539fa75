import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PostgresBackend } from '@agendajs/postgres-backend';
import pg from 'pg';
import { keepRows } from '../rows.js';

const pool = new pg.Pool({ connectionString: process.env.TEST_POSTGRES_URL, max: 2 });
const tableName = 'holdfast_timers';
const backend = new PostgresBackend({ pool, tableName, disableNotifications: true });
const key = randomUUID();
const unique = { 'data.key': key };
const job = { name: 'timer', priority: 0, type: 'normal', nextRunAt: new Date(), data: { key }, unique };

before(async () => {
  keepRows(backend, pool);
  await backend.connect();
});
after(async () => {
  await pool.query(`DELETE FROM ${tableName} WHERE data->>'key' = $1`, [key]);
  await pool.end();
});

test('writes a row again that was removed between read and write', async () => {
  await backend.repository.saveJob(job);
  const query = pool.query.bind(pool);
  let removals = 0;
  pool.query = async (sql, values) => {
    const result = await query(sql, values);
    if (sql.startsWith('SELECT') && result.rows.length > 0 && removals++ === 0) {
      await query(`DELETE FROM ${tableName} WHERE data->>'key' = $1`, [key]);
    }
    return result;
  };
  const saved = await backend.repository.saveJob(job).finally(() => {
    pool.query = query;
  });
  assert.equal(removals, 1);
  assert.deepEqual(saved.data, { key });
});
