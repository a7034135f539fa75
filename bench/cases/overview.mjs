import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Database, databaseWithOneOfEach, yearOf } from '../database.mjs';
import { signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median } from '../statistics.mjs';

const asked = 200;

const repositories = 50;

/** The first page of a user interface: how long its one answer takes, and how long it is. */
export async function overview({ folder, say }) {
  const dataDirectory = join(folder, 'overview-data');
  mkdirSync(dataDirectory);
  await fill(dataDirectory, repositories);
  const service = await startService(dataDirectory);
  const database = new Database(dataDirectory);
  try {
    const api = await signIn(service.url);
    const commit = () => database.all('UPDATE repository SET updated_at = updated_at + 1 WHERE id = 1');
    const time = async (path, before, times = asked) => {
      const measured = [];
      for (let n = 0; n < times; n++) {
        await before();
        measured.push((await api.timed(path)).ms);
      }
      say(`GET ${path}: first ${measured[0].toFixed(1)} ms, median ${median(measured).toFixed(1)} ms`);
      return median(measured);
    };
    const anew = await time('/api/overview', commit);
    const again = await time('/api/overview', async () => {});
    const year = await time('/api/history/days?days=366', commit, 20);
    const { body } = await api.timed('/api/overview');
    const bytes = gzipSync(JSON.stringify(body)).length;
    const what = `/api/overview, ${repositories} repositories, ${settings.listedJobs} jobs`;
    return [
      row(`${what}, after a commit, median of ${asked}`, anew, 15),
      row(`${what}, nothing changed, median of ${asked}`, again, 15),
      row(`/api/history/days of a year, after a commit, median of 20`, year, 100),
      { what: `${what}, gzip`, measured: `${bytes} B`, limit: '20000 B', passed: bytes <= 20_000 },
    ];
  } finally {
    await database.close();
    await service.stop();
  }
}

const row = (what, ms, most) => ({
  what,
  measured: `${ms.toFixed(1)} ms`,
  limit: `${most} ms`,
  passed: ms <= most,
});

/** Repositories with their jobs, schedules and archives of a year. */
export async function fill(dataDirectory, repositories) {
  const database = await databaseWithOneOfEach(dataDirectory);
  const name = `'a repository with a name ' || n`;
  const own = { name, uid: `uid || n`, path: `'/r/' || n`, tool_id: `tool_id || n` };
  const repository_id = `(n - 1) % ${repositories} + 1`;
  await database.multiply('repository', repositories, own);
  await database.multiply('job_figures', repositories, { repository_id: 'n' });
  await database.multiply('schedule', repositories, { name: `'s' || n` });
  await database.multiply('schedule_repository', repositories, { schedule_id: 'n', repository_id: 'n' });
  await database.multiply('job', settings.listedJobs, {
    ...yearOf(['requested_at', 'started_at', 'completed_at']),
    repository_id,
    status: `CASE WHEN n % 13 = 0 THEN 'failed' ELSE status END`,
  });
  await database.multiply('archive', 40 * repositories, {
    repository_id,
    ...yearOf(['start', 'end']),
    name: `'a' || n`,
  });
  await database.close();
}
