import { setTimeout as pause } from 'node:timers/promises';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import type { Fleet } from './fleet.js';
import { type Frozen, frozenAtStart } from './frozen-at-start.js';
import { endedWork, type JobRow, jobsOf, type Planned, plan, soon } from './ledger.js';

/** Longer than a lease (20 s) and the patience of those who take over (5 s). */
const frozenMs = 27_000;
/** What a thawed process gets to do what it must not. */
const watchedMs = 4_000;
/** For what comes by itself: on a machine with other work to do the queue may be long. */
const patienceMs = 300_000;

/** In what the process is stopped: as its tool writes, or after it started the tool and before it noted it. */
export type FreezeMoment = 'writing' | 'starting';

export interface Freeze {
  moment: FreezeMoment;
  /** The job that the frozen process ran, as the one that took it over ended it. */
  job: JobRow;
  /** Ended jobs that were changed when the process went on. */
  changed: number[];
  /** Jobs that had ended and for which a writer began afterwards. */
  begun: number[];
  frozenLog: string;
}

export interface FreezeRound {
  fleet: Fleet;
  /** Of the repository whose writers are held. */
  schedule: number;
  /** Another one of that repository: its writer begins while the process stands still. */
  next: number;
  moment: FreezeMoment;
  /** Ends any other process by a kill and starts it again. */
  killOne(spared: TestServer): Promise<void>;
}

/** One process stands still in the middle of a job until another has taken the job over, and goes on. */
export async function freezeRound(round: FreezeRound): Promise<{ instants: Planned[]; freeze: Freeze }> {
  const { fleet, schedule, moment, killOne } = round;
  const stop = moment === 'writing' ? frozenWhileWriting : frozenAtStart;
  const { id, frozen, instants } = await stop(fleet, schedule);
  const logged = frozen.log.length;
  const began = Date.now();
  let job: JobRow | undefined;
  while (job === undefined || Date.now() - began < frozenMs) {
    if (Date.now() - began > patienceMs) throw new Error(`job ${id} of a frozen process was never ended`);
    await killOne(frozen);
    job = (await jobsOf(fleet.database)).find((each) => each.id === id && each.status !== 'running');
  }
  const nextInstant = soon(round.next);
  await plan(fleet.database, [nextInstant]);
  const { uid: nextUid } = await waitFor(() => heldJob(fleet, round.next), {
    what: 'the next writer',
    timeoutMs: patienceMs,
  });
  const seen = await thaw(fleet, { frozen, id, logged });
  fleet.record.release(nextUid);
  const freeze = { moment, job, ...seen, frozenLog: frozen.log.slice(logged) };
  return { instants: [...instants, nextInstant], freeze };
}

async function thaw(
  fleet: Fleet,
  { frozen, id, logged }: { frozen: TestServer; id: number; logged: number },
): Promise<Pick<Freeze, 'changed' | 'begun'>> {
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
  const begun = new Set(fleet.record.writers.slice(writersBefore).map((writer) => writer.job));
  const ended = (await jobsOf(fleet.database)).filter((each) => before.has(each.id) && begun.has(each.uid));
  return { changed: changed.map(([each]) => each), begun: ended.map((each) => each.id) };
}

async function frozenWhileWriting(fleet: Fleet, schedule: number): Promise<Frozen> {
  const instants = [soon(schedule)];
  await plan(fleet.database, instants);
  const { id } = await waitFor(() => heldJob(fleet, schedule), {
    what: 'a writer that is held',
    timeoutMs: patienceMs,
  });
  const frozen = await fleet.runnerOf(id);
  await fleet.freeze(frozen);
  return { id, frozen, instants };
}

async function heldJob({ database, record }: Fleet, schedule: number) {
  const sql = "SELECT id, uid FROM job WHERE schedule_id = ? AND status = 'running' AND tool IS NOT NULL";
  const [job] = await database.all<{ id: number; uid: string }>(sql, schedule);
  return record.writers.some((writer) => writer.job === job?.uid) ? job : undefined;
}
