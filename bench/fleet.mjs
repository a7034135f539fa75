import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from './database.mjs';
import { signIn, startService } from './service.mjs';

const dayMs = 86_400_000;
const preload = new URL('./noop-driver/preload.mjs', import.meta.url).href;

/**
 * Services on one data folder with that many enabled schedules, by default ten per repository, none due within hours.
 * Their driver does nothing.
 */
export async function startFleet({ folder, schedules, instances, mongo, repositories, prepare }) {
  const [dataDirectory, source] = ['data', 'source'].map((name) => join(folder, name));
  for (const path of [dataDirectory, source]) mkdirSync(path, { recursive: true });
  writeFileSync(join(source, 'file'), 'content');
  const options = { preload, env: mongo ? { MONGODB_URI: mongo } : {} };
  await makeFirst(await startService(dataDirectory, options), { folder, source });
  const database = new Database(dataDirectory);
  await makeOthers(database, { folder, schedules, repositories });
  await prepare?.(database);
  const services = [];
  for (let n = 0; n < instances; n++) services.push(await startService(dataDirectory, options));
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.close();
  };
  return { database, services, stop };
}

async function makeFirst(service, { folder, source }) {
  const api = await signIn(service.url);
  const settings = { encryption: 'none', source_directories: [source] };
  await api.post('/api/repositories/', { name: 'r1', path: join(folder, 'r1'), ...settings });
  await api.post('/api/schedule/', { name: 's1', repository_id: 1, cron_expression: '0 0 1 1 *' });
  await service.stop();
}

async function makeOthers(database, { folder, schedules, repositories = Math.ceil(schedules / 10) }) {
  const own = { name: `'r' || n`, uid: `uid || n`, path: `'${folder}/r' || n`, tool_id: `tool_id || n` };
  await database.multiply('repository', repositories, own);
  const later = Date.now() + dayMs / 2;
  const next_run = `${later} + n * ${Math.floor(dayMs / schedules)}`;
  await database.multiply('schedule', schedules, { name: `'s' || n`, next_run });
  const repository_id = `(n - 1) % ${repositories} + 1`;
  await database.multiply('schedule_repository', schedules, { schedule_id: 'n', repository_id });
  await database.all('UPDATE schedule SET next_run = ? WHERE id = 1', later);
}

/**
 * Makes the schedules 1 to `count` due, one every `step` ms from `first` on. When all their jobs have ended, resolves
 * to the delays of the runs and their jobs, in ms. Rejects if a run is missing, duplicated or failed.
 */
export async function runDue(database, { count, first, step }) {
  const [{ before }] = await database.all('SELECT COALESCE(MAX(id), 0) AS before FROM slot');
  const at = `${first} + (id - 1) * ${step}`;
  await database.all(`UPDATE schedule SET next_run = ${at} WHERE id <= ${count}`);
  const deadline = first + count * step + 180_000;
  let rows = [];
  while (!(rows.length >= count && rows.every(({ completed_at }) => completed_at !== null))) {
    if (Date.now() > deadline) throw new Error(`only ${rows.length} of ${count} runs ended in time`);
    await pause(500);
    rows = await database.all(
      'SELECT slot.schedule_id, slot.planned_at, slot.late_ms, slot.outcome, job.started_at, job.completed_at ' +
        'FROM slot LEFT JOIN job ON job.slot_id = slot.id WHERE slot.id > ?',
      before,
    );
  }
  check(rows, count);
  return {
    runs: rows.map(({ late_ms }) => late_ms),
    jobs: rows.map(({ started_at, planned_at }) => started_at - planned_at),
  };
}

function check(rows, count) {
  const schedules = new Set(rows.map(({ schedule_id }) => schedule_id));
  const completed = rows.filter(({ outcome }) => outcome === 'completed').length;
  if (rows.length !== count || schedules.size !== count || completed !== count) {
    throw new Error(
      `${count} slots were due: ${rows.length} jobs of ${schedules.size} schedules, ${completed} completed`,
    );
  }
}
