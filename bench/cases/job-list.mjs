import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { againstExpress } from '../against-express.mjs';
import { databaseWithOneOfEach } from '../database.mjs';
import { signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, milliseconds, percentile } from '../statistics.mjs';

const many = 20;
const warmUps = 300;
const limits = { median: 10, p99: 30 };

/** Common and rare filters. Repository 7 has no failed job, schedule 5 none in repository 7; jobs of 20 are rare. */
const filters = [
  '',
  'limit=200',
  'kind=restore',
  'kind=check,prune,compact',
  'status=failed',
  'status=failed,cancelled,completed_with_warnings',
  'status=pending,running',
  'kind=backup,restore,check,prune,compact&status=pending,running,failed,cancelled,completed_with_warnings',
  'repository_id=3',
  'repository_id=20',
  'repository_id=7&status=failed',
  'repository_id=3&kind=restore&status=failed,cancelled',
  'schedule_id=5',
  'schedule_id=5&status=failed,cancelled',
  'schedule_id=5&repository_id=5',
  'schedule_id=5&repository_id=7',
  'schedule_id=5&repository_id=5&kind=backup&status=cancelled',
];

/** Time of a page of the list of all jobs for several filters and places, none of them cached. */
export async function jobList({ folder, say }) {
  const dataDirectory = join(folder, 'jobs-data');
  mkdirSync(dataDirectory);
  say(`making ${settings.jobs} jobs`);
  await fillWithJobs(dataDirectory);
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const times = [];
    for (let n = 0; n < warmUps; n++) await api.timed(`/api/jobs?before=${n + 1000}`);
    for (const filter of filters) times.push(await pagesOf({ api, filter, say }));
    const what = `GET /api/jobs, a page of ${settings.jobs} jobs, slowest of ${filters.length} filters`;
    const rows = [
      row(`${what}: median`, Math.max(...times.map((time) => time.median)), limits.median),
      row(`${what}: p99`, Math.max(...times.map((time) => time.p99)), limits.p99),
    ];
    const paths = { '/api/jobs?limit=50': `50 of ${settings.jobs} jobs` };
    return [...rows, ...(await againstExpress({ service, api, paths, say }))];
  } finally {
    await service.stop();
  }
}

async function pagesOf({ api, filter, say }) {
  const times = [];
  let found = 0;
  for (let page = 0; page <= settings.pages; page++) {
    // Each place is another one, so that no page comes from the cache.
    const before = settings.jobs + 1 - Math.floor((page * settings.jobs) / (settings.pages + 1));
    const { ms, body } = await api.timed(`/api/jobs?${filter}&before=${before}`);
    found += body.jobs.length;
    if (page > 0) times.push(ms);
  }
  const time = { median: median(times), p99: percentile(times, 0.99) };
  const jobs = (found / (settings.pages + 1)).toFixed(0);
  const told = `${milliseconds(time.median)}, p99 ${milliseconds(time.p99)}`;
  say(`/api/jobs?${filter}: ${told}, ${jobs} jobs a page`);
  return time;
}

const row = (what, ms, limit) => ({
  what,
  measured: milliseconds(ms),
  limit: milliseconds(limit),
  passed: ms <= limit,
});

/** A database with a million jobs, of a service that is stopped. */
export async function fillWithJobs(dataDirectory, jobs = settings.jobs) {
  const database = await databaseWithOneOfEach(dataDirectory);
  const own = { name: `'r' || n`, uid: `uid || n`, path: `'/r/' || n`, tool_id: `tool_id || n` };
  await database.multiply('repository', many, own);
  await database.multiply('schedule', many, { name: `'s' || n` });
  await database.multiply('job', jobs, jobColumns);
  await database.close();
}

const repository = `(CASE WHEN n % 50000 = 0 THEN ${many} ELSE (n * 7) % ${many - 1} + 1 END)`;
const kind = `(CASE WHEN n % 101 = 0 THEN 'restore' WHEN n % 103 = 0 THEN 'archive_deletion' WHEN n % 7 = 0 THEN 'prune'
  WHEN n % 11 = 0 THEN 'compact' WHEN n % 13 = 0 THEN 'check' ELSE 'backup' END)`;
const jobColumns = {
  repository_id: repository,
  kind,
  status: `(CASE WHEN n % 17 = 0 AND ${repository} <> 7 THEN 'failed' WHEN n % 9973 = 0 THEN 'cancelled'
    WHEN n % 23 = 0 THEN 'completed_with_warnings' ELSE 'completed' END)`,
  // Each schedule backs up the repository of its number.
  schedule_id: `(CASE WHEN ${kind} IN ('backup', 'prune', 'compact') AND n % 3 > 0 THEN ${repository} END)`,
  parameters: `(CASE ${kind} WHEN 'restore' THEN '{"archive":"a","destination":"/d","paths":[]}'
    WHEN 'archive_deletion' THEN '{"archive":"a"}'
    WHEN 'check' THEN '{"maxSeconds":0,"verifyData":false,"repair":false,"plannedAt":null}' ELSE '{}' END)`,
  outcome: 'NULL',
};
