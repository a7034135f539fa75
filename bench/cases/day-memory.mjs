import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { faketime } from '../../scripts/services/faketime.mjs';
import { MongoServer } from '../../scripts/services/mongo-server.mjs';
import { findMongod } from '../../scripts/services/mongod.mjs';
import { MovableClock } from '../../scripts/services/movable-clock.mjs';
import { Database } from '../database.mjs';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { mebibytes, ratio } from '../statistics.mjs';
import { makeWideTree } from '../trees.mjs';

const stepsAnHour = 12;
const stepSeconds = 3_600 / stepsAnHour;
const metricsToken = 'token-of-prometheus-for-measuring';
/**
 * The number of jobs that the lists show. They exist from the beginning, so that the lists are no longer in the last
 * hour than in the first.
 */
const shownJobs = 200;
const limit = 1.1;
const collectMs = 2_000;
const preload = new URL('../collect-on-signal.mjs', import.meta.url).href;
const patienceMs = 60_000;

/**
 * Resident memory over a day. The service's clock is repeatedly set five minutes forward; each time a schedule is
 * due, the benchmark waits for its backup and everything else, while people look at lists and archives.
 */
export async function dayMemory({ folder, say }) {
  await faketime.prepare();
  const mongo = await MongoServer.start(await findMongod(), { replicaSet: true });
  try {
    const own = join(folder, 'day');
    mkdirSync(own);
    const mongoUri = mongo.uri.replace('/?', '/day?');
    const { first, last, most } = await liveThroughDay({ folder: own, mongo: mongoUri, say });
    const growth = last / first;
    say(`at most ${mebibytes(most)} at the end of an hour, without forced garbage collection`);
    return [
      {
        what: `resident memory after ${settings.dayHours} simulated hours (${mebibytes(last)}) ÷ after the first (${mebibytes(first)})`,
        measured: ratio(growth),
        limit: ratio(limit),
        passed: growth <= limit,
      },
    ];
  } finally {
    await mongo.remove();
  }
}

/**
 * Resident memory at the ends of the first and the last hour, right after a garbage collection. Between two
 * collections the heap grows to twice its live size, so a value in between says nothing.
 */
async function liveThroughDay({ folder, mongo, say }) {
  const clock = new MovableClock(folder);
  const day = await Day.begin({ folder, mongo, clock });
  const ends = [];
  let first = 0;
  for (let hour = 1; hour <= settings.dayHours; hour++) {
    for (let step = 0; step < stepsAnHour; step++) await day.fiveMinutes();
    ends.push(day.service.memory());
    say(`hour ${hour}: ${mebibytes(ends.at(-1))}, ${day.ended} jobs so far`);
    if (hour === 1) first = await day.collected();
  }
  const last = await day.collected();
  await day.service.stop();
  return { first, last, most: Math.max(...ends) };
}

class Day {
  ended = 0;
  #steps = 0;

  static async begin({ folder, mongo, clock }) {
    const [dataDirectory, source] = ['data', 'source'].map((name) => join(folder, name));
    for (const path of [dataDirectory, source]) mkdirSync(path);
    makeWideTree(source, settings.dayFiles);
    const env = {
      ...clock.environment,
      MONGODB_URI: mongo,
      METRICS_TOKEN: metricsToken,
      ACCESS_TOKEN_EXPIRE_MINUTES: '2880',
    };
    const day = new Day();
    const open = async () => {
      Object.assign(day, { clock, source, service: await startService(dataDirectory, { env, preload }) });
      day.api = await signIn(day.service.url);
    };
    await open();
    await day.#plan(folder);
    await day.service.stop();
    await day.#makeHistory(dataDirectory);
    await open();
    // From here on, a step ends just after a slot.
    await day.#setTo(stepSeconds - (Math.floor(clock.now() / 1000) % stepSeconds) + 1);
    return day;
  }

  /** A backup every five minutes; one per hour in both repositories with prune and compact; one check per day. */
  async #plan(folder) {
    const keep = { prune_keep_daily: 2, prune_keep_weekly: 0, prune_keep_monthly: 0 };
    for (const name of ['often', 'hourly']) {
      await createRepository(this.api, { name, path: join(folder, name), source: this.source });
    }
    const schedule = (name, repository_id, cron_expression, more) =>
      this.api.post('/api/schedule/', { name, repository_id, cron_expression, ...more });
    await schedule('often', 1, '*/5 * * * *', {});
    const after = { run_prune_after: true, run_compact_after: true };
    await schedule('hourly', 2, '0 * * * *', { ...after, ...keep });
    await schedule('tidy', 1, '30 * * * *', { ...after, ...keep });
    await this.api.put('/api/repositories/1/check-schedule', { cron_expression: '30 2 * * *' });
    await backUp(this.api, join(folder, 'often'));
  }

  async #makeHistory(dataDirectory) {
    const database = new Database(dataDirectory);
    await database.multiply('job', shownJobs, {});
    await database.close();
    this.ended = shownJobs;
  }

  async #setTo(ahead) {
    const date = async () => Date.parse((await fetch(`${this.service.url}/health`)).headers.get('date'));
    await this.clock.set(ahead, date);
  }

  async fiveMinutes() {
    this.#steps++;
    writeFileSync(join(this.source, 'changed'), `${this.#steps}`);
    await this.#setTo(this.clock.ahead + stepSeconds);
    await this.#untilQuiet();
    await this.#look();
  }

  async #untilQuiet() {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const { jobs } = await this.api.get('/api/backup/jobs?limit=20');
      const ended = jobs.filter(({ completed_at }) => completed_at !== null).length;
      const newest = jobs[0]?.id ?? 0;
      if (ended === jobs.length && newest > this.ended) {
        this.ended = newest;
        return;
      }
      if (Date.now() > deadline) throw new Error(`no backup ran in step ${this.#steps}`);
      await pause(100);
    }
  }

  /** Resident memory after a garbage collection. */
  async collected() {
    process.kill(this.service.pid, 'SIGUSR2');
    await pause(collectMs);
    return this.service.memory();
  }

  /** What people request in five minutes, and Prometheus and a load balancer every fifteen seconds. */
  async #look() {
    const { archives } = await this.api.get('/api/archives/list?repository_id=1');
    const { name } = archives.at(-1);
    const of = `/api/archives/${encodeURIComponent(name)}/contents?repository_id=1&path=`;
    const { items } = await this.api.get(of);
    if (items.length === 0) throw new Error(`the archive ${name} is empty`);
    const inside = this.source.slice(1);
    for (let n = 0; n < 40; n++) await this.api.get(of + encodeURIComponent(`${inside}/dir-${n % 2}`));
    const lists = ['/api/repositories/', '/api/schedule/', `/api/backup/jobs?limit=${shownJobs}`, '/health'];
    for (let n = 0; n < 20; n++) {
      for (const path of lists) await this.api.get(path);
      await this.#scrape();
    }
    await signIn(this.service.url);
  }

  async #scrape() {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const metrics = await fetch(`${this.service.url}/metrics`, { headers });
    if (!metrics.ok) throw new Error(`GET /metrics: ${metrics.status} ${await metrics.text()}`);
    await metrics.text();
  }
}
