import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoServer } from '../../scripts/services/mongo-server.mjs';
import { findMongod } from '../../scripts/services/mongod.mjs';
import { runDue, startFleet } from '../fleet.mjs';
import { idleShares } from '../idle.mjs';
import { settings } from '../settings.mjs';
import { median, seconds } from '../statistics.mjs';

const instances = 3;
/** Time for setting the timers of what became due. */
const aheadMs = 40_000;

/** Many schedules: their cost while none is due, and how promptly they run. */
export async function schedules({ folder, say }) {
  const mongo = await MongoServer.start(await findMongod(), { replicaSet: true });
  try {
    const uri = (name) => mongo.uri.replace('/?', `/${name}?`);
    const many = await inFolder(folder, (own) => manySchedules({ folder: own, mongo: uri('many'), say }));
    const shared = await inFolder(folder, (own) => fewSchedules({ folder: own, mongo: uri('few'), say }));
    const embedded = await inFolder(folder, (own) => fewSchedules({ folder: own, say }));
    return [...many, shared, embedded];
  } finally {
    await mongo.remove();
  }
}

async function inFolder(folder, work) {
  const own = mkdtempSync(join(folder, 'schedules-'));
  const result = await work(own);
  rmSync(own, { recursive: true, force: true });
  return result;
}

async function manySchedules({ folder, mongo, say }) {
  const { schedules: count, due } = settings;
  const fleet = await startFleet({ folder, schedules: count, instances, mongo });
  const idle = await idleShares(fleet.services);
  say(`idle, share of a core for each of ${instances} services: ${idle.map(percent).join(', ')}`);
  const late = await runDue(fleet.database, { count: due, first: Date.now() + aheadMs, step: 0 });
  await fleet.stop();
  const [runs, jobs] = [late.runs, late.jobs].map((times) => Math.max(...times));
  say(
    `${due} slots due at once: the last run began after ${seconds(runs)}, its last job after ${seconds(jobs)}`,
  );
  const most = Math.max(...idle);
  const what = `${count} schedules, ${instances} services, MongoDB`;
  return [
    {
      what: `idle use of a core by one of them: ${what}`,
      measured: percent(most),
      limit: '5.0 %',
      passed: most < 0.05,
    },
    row(`the last run of ${due} slots due at once began after: ${what}`, runs, 20_000),
    row(`the last job of them began after: ${what}`, jobs, 20_000),
  ];
}

/** One slot after the other. */
async function fewSchedules({ folder, mongo, say }) {
  const fleet = await startFleet({ folder, schedules: 100, instances: 1, mongo });
  const late = await runDue(fleet.database, { count: 100, first: Date.now() + aheadMs, step: 200 });
  await fleet.stop();
  const where = mongo ? 'MongoDB' : 'embedded timers';
  const [runs, jobs] = [late.runs, late.jobs].map(median);
  say(
    `100 schedules, ${where}: a run began after ${seconds(runs)}, its job after ${seconds(jobs)} (medians)`,
  );
  return row(`100 schedules, ${where}: a job began after its slot, median`, jobs, 1_000);
}

const row = (what, ms, limit) => ({ what, measured: seconds(ms), limit: seconds(limit), passed: ms < limit });

const percent = (share) => `${(share * 100).toFixed(1)} %`;
