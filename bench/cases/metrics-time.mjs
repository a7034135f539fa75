import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, seconds } from '../statistics.mjs';

/** The time of `/metrics` with many repositories, and how much a hundred times as many past jobs add to it. */
export async function metricsTime({ folder, say }) {
  const dataDirectory = join(folder, 'metrics-data');
  mkdirSync(dataDirectory);
  await fill(dataDirectory, { jobs: settings.jobs / 100 });
  const few = await scrapeTime(dataDirectory);
  say(`adding job rows up to ${settings.jobs}`);
  await fill(dataDirectory, { jobs: settings.jobs });
  const many = await scrapeTime(dataDirectory);
  const what = `/metrics, ${settings.repositories} repositories`;
  return [
    row(
      `${what}, ${settings.jobs} jobs, median of ${settings.scrapes}`,
      seconds(many),
      '0.25 s',
      many <= 250,
    ),
    row(`${what}, against ${settings.jobs / 100} jobs`, (many / few).toFixed(2), '1.50', many / few <= 1.5),
  ];
}

const row = (what, measured, limit, passed) => ({ what, measured, limit, passed });

async function scrapeTime(dataDirectory) {
  const service = await startService(dataDirectory);
  const times = [];
  for (let n = 0; n <= settings.scrapes; n++) {
    const began = performance.now();
    const text = await (await fetch(`${service.url}/metrics`)).text();
    if (n > 0) times.push(performance.now() - began);
    if (!text.includes('bk_store_up 1')) throw new Error('the metrics are incomplete');
  }
  await service.stop();
  return median(times);
}

/** Creates rows from a real repository and a real job, while the service is stopped. */
async function fill(dataDirectory, { jobs }) {
  const service = await startService(dataDirectory);
  const api = await signIn(service.url);
  const found = await api.get('/api/repositories/');
  if (found.repositories.length === 0) {
    const [path, source] = ['repository', 'source'].map((name) => join(dataDirectory, name));
    mkdirSync(source);
    writeFileSync(join(source, 'file'), 'content');
    await createRepository(api, { name: 'r', path, source });
    await backUp(api, path);
  }
  await service.stop();
  const database = new sqlite3.Database(join(dataDirectory, 'holdfast.db'));
  const run = (sql) =>
    new Promise((resolve, reject) =>
      database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  await multiply(run, 'repository', settings.repositories, {
    name: "'r' || n",
    path: "'/r/' || n",
    uid: "'u' || n",
  });
  const repository_id = `1 + n % ${settings.repositories}`;
  await multiply(run, 'job', jobs, { repository_id });
  await multiply(run, 'archive', 30 * settings.repositories, { repository_id, name: "'a' || n" });
  await multiply(run, 'job_figures', settings.repositories, { repository_id: 'n', figures: `'${figures}'` });
  await new Promise((resolve) => database.close(resolve));
}

const counts = { completed: 700, completed_with_warnings: 20, failed: 12, cancelled: 3 };
const last = {
  endedAt: 1.8e12,
  success: true,
  begun: { endedAt: 1.8e12, seconds: 60 },
  good: { endedAt: 1.8e12, originalSize: 1e12, deduplicatedSize: 1e9 },
  judged: { endedAt: 1.8e12, jobId: 1, success: true },
  damaged: { endedAt: 1.8e12, jobId: 1 },
};
const kinds = ['backup', 'check', 'prune', 'compact'];
const figures = JSON.stringify({
  counts: Object.fromEntries(kinds.map((kind) => [kind, counts])),
  last: Object.fromEntries(kinds.map((kind) => [kind, last])),
});

/** Copies the first row of a table until there are `wanted` rows; `n` is the number of the new row. */
async function multiply(run, table, wanted, values) {
  const columns = (await run(`PRAGMA table_info("${table}")`))
    .map(({ name }) => name)
    .filter((name) => name !== 'id');
  const [{ most }] = await run(`SELECT COALESCE(MAX(id), 0) AS most FROM "${table}"`);
  if (most >= wanted) return;
  const names = columns.map((name) => `"${name}"`).join(', ');
  const copied = columns.map((name) => values[name] ?? `"${name}"`).join(', ');
  await run(
    `INSERT INTO "${table}" (${names}) WITH RECURSIVE numbers(n) AS (SELECT ${most + 1} UNION ALL SELECT n + 1 ` +
      `FROM numbers WHERE n < ${wanted}) SELECT ${copied} FROM numbers, (SELECT * FROM "${table}" LIMIT 1)`,
  );
}
