import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { archivesOf } from '../actions.js';
import type { Api } from '../api.js';
import { clockAhead } from './clock-ahead.js';
import { Fleet } from './fleet.js';
import type { FreezeMoment } from './freeze-round.js';
import { faults, jobsOf, plan } from './ledger.js';
import { soak } from './schedule-soak.js';
import { soakMinutes, soakSeed } from './soak-options.js';
import { heldName, WriterRecord } from './writer-record.js';

const freezeMoments = (count: number): FreezeMoment[] =>
  Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 'starting' : 'writing'));

const size =
  soakMinutes === null
    ? {
        slots: 20,
        spreadMs: 12_000,
        repositories: 4,
        moments: freezeMoments(1),
        killEveryMs: 1_500,
        killsAtMost: 3,
      }
    : {
        slots: soakMinutes * 60,
        spreadMs: soakMinutes * 60_000,
        repositories: 16,
        moments: freezeMoments(Math.max(2, Math.ceil(soakMinutes / 2))),
        killEveryMs: 6_000,
      };
const timeout = 600_000 + size.spreadMs * 6;

let fleet: Fleet;
let env: Record<string, string>;

beforeAll(() => {
  const uri = new URL(process.env.TEST_MONGODB_URI ?? '');
  uri.pathname = `/holdfast_soak_${randomBytes(4).toString('hex')}`;
  env = { MONGODB_URI: uri.href };
  fleet = new Fleet();
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') fleet.keep();
});
afterAll(async () => {
  await fleet?.remove();
  const client = new MongoClient(env.MONGODB_URI ?? '');
  await client.db().dropDatabase();
  await client.close();
});

/** Slots that are due one after the other from a few seconds on. */
async function slotsToCome(api: Api) {
  const names = Array.from({ length: size.repositories }, (_, n) => `repository-${n}`);
  const [held = 0, ...repositories] = await fleet.repositories(api, [heldName, ...names]);
  const schedules = await fleet.schedules(api, { count: size.slots, repositories, waits: true });
  const frozen = await fleet.schedules(api, { count: 2 * size.moments.length, repositories: [held] });
  const first = Date.now() + 4_000;
  const step = size.spreadMs / size.slots;
  return {
    planned: schedules.map((schedule, n) => ({ schedule, at: first + Math.round(n * step) })),
    freezes: size.moments.map((moment, n) => ({
      schedule: frozen[2 * n] ?? 0,
      next: frozen[2 * n + 1] ?? 0,
      moment,
    })),
  };
}

test('three killed and frozen servers run each slot once with one writer per repository', {
  timeout,
}, async () => {
  const first = await fleet.start(env);
  const { planned, freezes } = await slotsToCome(await first.login());
  await plan(fleet.database, planned);
  const [, ahead] = await Promise.all([fleet.start(env), fleet.start({ ...env, ...clockAhead(5) })]);
  const { headers } = await ahead.api.get('/health');
  expect((Date.parse(headers.date ?? '') - Date.now()) / 1_000).toBeGreaterThan(3);

  const done = await soak({ fleet, seed: soakSeed, planned, freezes, ...size });
  const { writers } = fleet.record;
  expect(await faults(fleet.database, { planned: done.planned, writers })).toEqual([]);
  for (const { job, changed, begun, frozenLog } of done.freezes) {
    // More than once when those who took it over were killed.
    expect(job.fence).toBeGreaterThanOrEqual(2);
    expect(job).toMatchObject({ status: 'failed', owner: null });
    expect(job.error_message).toMatch(/^Interrupted/);
    expect({ changed, begun }).toEqual({ changed: [], begun: [] });
    expect(frozenLog).not.toContain('unhandled promise rejection');
  }
  await expectArchivesOfCompletedJobs(await first.login());
  const { kills } = done;
  process.stdout.write(
    `soak: ${done.planned.length} slots, ${kills} kills, ${freezes.length} freezes, seed ${soakSeed}; each once\n`,
  );
});

test('detects a second writer on a repository', async () => {
  const folder = fleet.workspace.folder('noticed');
  const { bin, writers: before } = new WriterRecord(folder, "sh -c 'sleep 2'");
  expect(before).toEqual([]);
  const create = ['create', '--comment=holdfast:2:x:-:7', '--', '/some/where::archive', '/source'];
  const run = () => promisify(execFile)(`${bin}/borg`, create);
  await Promise.all([run(), run()]);
  const { writers } = new WriterRecord(folder);
  const noted = { verb: 'create', repository: 'where', job: '7' };
  // The two note it in any order.
  expect(writers).toHaveLength(2);
  for (const found of ['alone', 'beside'] as const) expect(writers).toContainEqual({ ...noted, found });
});

/** What the real tool has agrees with what the jobs say. */
async function expectArchivesOfCompletedJobs(api: Api) {
  const jobs = (await jobsOf(fleet.database)).filter(({ status }) => status.startsWith('completed'));
  expect(jobs.length).toBeGreaterThan(size.slots / 4);
  for (const path of new Set(jobs.map(({ repository_path }) => repository_path))) {
    const made = jobs.filter((job) => job.repository_path === path).length;
    expect([path, (await archivesOf(api, path)).length]).toEqual([path, made]);
  }
}
