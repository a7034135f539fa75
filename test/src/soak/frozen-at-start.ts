import { readdirSync, readFileSync } from 'node:fs';
import { stopProcess } from '../../../scripts/services/stop-process.mjs';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import type { Fleet } from './fleet.js';
import { jobsOf, type Planned, plan, soon } from './ledger.js';

export interface Frozen {
  id: number;
  frozen: TestServer;
  /** All that were planned to come to that. */
  instants: Planned[];
}

const attemptsAtMost = 10;

/**
 * Freezes the process that runs a planned slot after it started the tool, and before the job's row says so: no other
 * process can know of that tool. Where the note was faster, the job is let to its end, and there is another slot.
 */
export async function frozenAtStart(fleet: Fleet, schedule: number): Promise<Frozen> {
  const [frozen, ...others] = fleet.servers;
  if (!frozen) throw new Error('no server of the fleet was started');
  const instants: Planned[] = [];
  for (let n = 0; n < attemptsAtMost; n += 1) {
    const instant = soon(schedule);
    instants.push(instant);
    const { id, uid, stopped } = await attempt(fleet, { instant, frozen, others });
    if (stopped) return { id, frozen, instants };
    fleet.record.release(uid);
    const isOver = async () =>
      (await jobsOf(fleet.database)).some((job) => job.id === id && job.completed_at);
    await waitFor(isOver, { what: `the end of job ${id}`, timeoutMs: 120_000 });
  }
  throw new Error(`the tool of a job was noted too soon, ${attemptsAtMost} times`);
}

interface Attempt {
  instant: Planned;
  frozen: TestServer;
  others: readonly TestServer[];
}

/**
 * The others pause, so that this process takes the slot, and the database is kept from being written between the
 * taking of the job and the note.
 */
async function attempt(fleet: Fleet, { instant, frozen, others }: Attempt) {
  try {
    for (const other of others) await fleet.freeze(other);
    await plan(fleet.database, [instant]);
    const what = { what: 'a slot that was taken', intervalMs: 1, timeoutMs: 60_000 };
    const { id, uid } = await waitFor(() => begunJob(fleet, instant), what);
    await fleet.database.holdWrites();
    const stopped = (await begunJob(fleet, instant))?.tool === null;
    if (stopped) {
      const look = { what: `the tool of job ${id}`, intervalMs: 5, timeoutMs: 60_000 };
      await waitFor(() => hasTool(fleet, { job: uid, parent: frozen.pid }), look);
      await stopProcess(frozen.pid);
    }
    await fleet.database.letWrite();
    return { id, uid, stopped };
  } finally {
    for (const other of others) process.kill(other.pid, 'SIGCONT');
  }
}

/** A job whose next write is the note of its tool. Read only: it keeps nobody from writing. */
async function begunJob({ database }: Fleet, { schedule }: Planned) {
  const begun = "EXISTS (SELECT 1 FROM event WHERE job_id = job.id AND kind = 'backup_start')";
  const sql = `SELECT id, uid, tool FROM job WHERE schedule_id = ? AND status = 'running' AND ${begun}`;
  const [job] = await database.all<{ id: number; uid: string; tool: string | null }>(sql, schedule);
  return job;
}

/** Found by the archive's comment, which names the job, and the place of the repository. */
function hasTool({ workspace }: Fleet, { job, parent }: { job: string; parent: number }): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return (
        Number(/\) \S (\d+)/.exec(stat)?.[1]) === parent &&
        words.some((word) => word.startsWith('--comment=holdfast:') && word.split(':').includes(job)) &&
        words.some((word) => word.startsWith(workspace.path))
      );
    } catch {
      return false; // It ended as it was looked at.
    }
  });
}
