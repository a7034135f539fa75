import { readdirSync, readFileSync } from 'node:fs';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import type { Fleet } from './fleet.js';
import { type Planned, plan } from './ledger.js';

/**
 * Freezes the process that runs a planned slot after it started the tool, and before the job's row says so: no other
 * process can know of that tool. So that it comes to that, the others pause, and the database is kept from being
 * written between the taking of the job and the note.
 */
export async function frozenAtStart(
  fleet: Fleet,
  instant: Planned,
): Promise<{ id: number; frozen: TestServer }> {
  const [frozen, ...others] = fleet.servers;
  if (!frozen) throw new Error('no server of the fleet was started');
  try {
    for (const other of others) await fleet.freeze(other);
    await plan(fleet.database, [instant]);
    const what = { what: 'a slot that was taken', intervalMs: 1 };
    const id = await waitFor(() => takenJob(fleet, instant), what);
    await fleet.database.all('BEGIN IMMEDIATE');
    if (!(await takenJob(fleet, instant))) throw new Error(`the tool of job ${id} was noted too soon`);
    const look = { what: `the tool of job ${id}`, intervalMs: 5 };
    await waitFor(() => hasTool(fleet, { job: id, parent: frozen.pid }), look);
    process.kill(frozen.pid, 'SIGSTOP');
    await fleet.database.all('ROLLBACK');
    return { id, frozen };
  } finally {
    for (const other of others) process.kill(other.pid, 'SIGCONT');
  }
}

/** A job that writes nothing more before it notes its tool. Read only: it keeps nobody from writing. */
async function takenJob({ database }: Fleet, { schedule }: Planned): Promise<number | undefined> {
  const begun = "EXISTS (SELECT 1 FROM event WHERE job_id = job.id AND kind = 'backup_start')";
  const sql = `SELECT id FROM job WHERE schedule_id = ? AND status = 'running' AND tool IS NULL AND ${begun}`;
  const [job] = await database.all<{ id: number }>(sql, schedule);
  return job?.id;
}

/** Found by the archive's comment, which names the job, and the place of the repository. */
function hasTool({ workspace }: Fleet, { job, parent }: { job: number; parent: number }): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return (
        Number(/\) \S (\d+)/.exec(stat)?.[1]) === parent &&
        words.some((word) => word.startsWith('--comment=holdfast:') && word.endsWith(`:${job}`)) &&
        words.some((word) => word.startsWith(workspace.path))
      );
    } catch {
      return false; // It ended as it was looked at.
    }
  });
}
