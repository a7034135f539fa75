import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../oracles/random.js';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import type { Fleet } from './fleet.js';
import { endedWork, type JobRow, jobsOf, type Planned, plan, unfinished } from './ledger.js';

/** Longer than a lease (20 s) and the patience of those who take over (5 s). */
const frozenMs = 27_000;
/** What a thawed process gets to do what it must not. */
const watchedMs = 4_000;

export interface SoakOptions {
  fleet: Fleet;
  seed: number;
  /** All instants, those of `held` not among them. */
  planned: readonly Planned[];
  /** Schedules of the repository whose writers are held: one freeze each. */
  held: readonly number[];
  killEveryMs: number;
}

export interface Freeze {
  /** The job that the frozen process ran, as the one that took it over ended it. */
  job: JobRow;
  /** Ended jobs that were changed when the process went on. */
  changed: number[];
  /** Jobs that had ended and for which a writer began afterwards. */
  begun: number[];
  frozenLog: string;
}

export interface SoakResult {
  planned: Planned[];
  kills: number;
  freezes: Freeze[];
}

/** Kills and freezes the servers at random while slots fall due; resolves when everything has ended. */
export async function soak({ fleet, seed, planned, held, killEveryMs }: SoakOptions): Promise<SoakResult> {
  const random = randomNumbers(seed);
  const result: SoakResult = { planned: [...planned], kills: 0, freezes: [] };
  const killOne = async (spared?: TestServer) => {
    const candidates = fleet.servers.filter((server) => server !== spared);
    await pause(random() * 2 * killEveryMs);
    await candidates[Math.floor(random() * candidates.length)]?.restart('SIGKILL');
    result.kills += 1;
  };
  for (const schedule of held) {
    const { instant, freeze } = await freezeRound(fleet, schedule, killOne);
    result.planned.push(instant);
    result.freezes.push(freeze);
  }
  const last = Math.max(...planned.map(({ at }) => at));
  do await killOne();
  while (Date.now() < last);
  await waitFor(async () => (await unfinished(fleet.database, result.planned)) === 0, {
    ...{
      what: 'the end of all slots and jobs',
      timeoutMs: 120_000 + planned.length * 3_000,
      intervalMs: 500,
    },
  });
  return result;
}

async function freezeRound(fleet: Fleet, schedule: number, killOne: (spared: TestServer) => Promise<void>) {
  const instant = { schedule, at: Date.now() + 500 };
  await plan(fleet.database, [instant]);
  const { id } = await waitFor(() => heldJob(fleet, schedule), { what: 'a writer that is held' });
  const frozen = await fleet.runnerOf(id);
  const logged = frozen.log.length;
  await fleet.freeze(frozen);
  const began = Date.now();
  let job: JobRow | undefined;
  while (job === undefined || Date.now() - began < frozenMs) {
    if (Date.now() - began > 120_000) throw new Error(`job ${id} of a frozen process was never ended`);
    await killOne(frozen);
    job = (await jobsOf(fleet.database)).find((each) => each.id === id && each.status !== 'running');
  }
  const before = await endedWork(fleet.database);
  const writersBefore = fleet.record.writers.length;
  process.kill(frozen.pid, 'SIGCONT');
  await waitFor(() => /the job was (lost|taken over)/.test(frozen.log.slice(logged)), {
    what: `what the frozen process says about job ${id}`,
  });
  // That something is never written can be seen only over some time.
  await pause(watchedMs);
  const after = await endedWork(fleet.database);
  const changed = [...before].filter(
    ([each, work]) => JSON.stringify(after.get(each)) !== JSON.stringify(work),
  );
  const freeze = {
    job,
    changed: changed.map(([each]) => each),
    begun: fleet.record.writers
      .slice(writersBefore)
      .flatMap((writer) => writer.job ?? [])
      .filter((each) => before.has(each)),
    frozenLog: frozen.log.slice(logged),
  };
  return { instant, freeze };
}

async function heldJob({ database, record }: Fleet, schedule: number): Promise<{ id: number } | undefined> {
  const sql = "SELECT id FROM job WHERE schedule_id = ? AND status = 'running' AND tool IS NOT NULL";
  const [job] = await database.all<{ id: number }>(sql, schedule);
  return record.writers.some((writer) => writer.job === job?.id) ? job : undefined;
}
