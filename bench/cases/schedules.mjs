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
    const waiting = await inFolder(folder, (own) => waitingRuns({ folder: own, say }));
    return [...many, shared, embedded, waiting];
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

/** Each looks again and again for the disk of its repository, which is away. */
async function waitingRuns({ folder, say }) {
  const count = 1_000;
  const prepare = async (database) => {
    await database.all(`UPDATE schedule SET "when" = '{"place_present":true}'`);
    await database.all(
      `INSERT INTO slot (schedule_id, planned_at, "trigger", outcome, job_ids, count) VALUES (1, ?, 'schedule', 'waiting', '[]', 1)`,
      Date.now(),
    );
    await database.multiply('slot', count, { schedule_id: 'n' });
  };
  const fleet = await startFleet({ folder, schedules: count, repositories: count, instances: 1, prepare });
  const [idle] = await idleShares(fleet.services);
  const [{ waiting }] = await fleet.database.all(
    "SELECT COUNT(*) AS waiting FROM slot WHERE outcome = 'waiting' AND reason_code = 'run_waits_for_disk'",
  );
  await fleet.stop();
  if (waiting !== count) throw new Error(`only ${waiting} of ${count} runs wait for their disks`);
  say(`${count} runs wait for their disks: ${percent(idle)} of a core`);
  const what = `idle use of a core while ${count} runs wait for their disks`;
  return { what, measured: percent(idle), limit: '3.0 %', passed: idle < 0.03 };
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
