import { jobs } from '../jobs/tables.js';
import { inTransaction, newUid } from '../kernel/index.js';
import type { StorageBackend } from '../ports/storage.js';
import { parseArchiveComment, recordedArchives } from '../repositories/index.js';
import { type ArchiveRow, archives } from '../repositories/tables.js';
import { schedules } from '../schedules/tables.js';

/**
 * Gives schedules and waiting jobs of before there were random ids one, and records which archives are of which job.
 * May be repeated, by several processes at once: what has an identity keeps it.
 */
export async function giveIdentities(storage: StorageBackend, installation: string): Promise<void> {
  for (const { id } of await storage.find(schedules, { where: { uid: null } }))
    await storage.update(schedules, { id, uid: null }, { uid: newUid() });
  // One that runs goes on under its number: the comment of its archive has that.
  const waiting = { uid: null, status: 'pending' } as const;
  for (const { id } of await storage.find(jobs, { where: waiting }))
    await storage.update(jobs, { ...waiting, id }, { uid: newUid() });
  // The end of a job wrote the number of files; who only lists archives does not know it.
  const unrecorded = await storage.find(archives, { where: { job_id: null, files: { not: null } } });
  for (const id of new Set(unrecorded.map(({ repository_id }) => repository_id))) {
    const rows = unrecorded.filter(({ repository_id }) => repository_id === id);
    await recordFormer(storage, { id, rows, installation });
  }
}

interface Former {
  /** Of the repository. */
  id: number;
  rows: readonly ArchiveRow[];
  installation: string;
}

/** Those whose job is gone keep what their comment says: they were in the inventory as the job had written them. */
async function recordFormer(storage: StorageBackend, { id, rows, installation }: Former): Promise<void> {
  await inTransaction(storage, async (session) => {
    const known = await recordedArchives(session, id, rows);
    const scheduleIds = new Set((await session.find(schedules)).map((schedule) => schedule.id));
    for (const row of rows) {
      const record = known.get(row.tool_id) ?? (await former(row));
      if (record) await session.update(archives, { id: row.id, job_id: null }, record);
    }

    async function former({ comment }: ArchiveRow) {
      const origin = parseArchiveComment(comment);
      if (origin?.installation !== installation || typeof origin.job !== 'number') return null;
      const [job] = await session.find(jobs, { where: { id: origin.job }, limit: 1 });
      if (job) return null;
      const schedule_id = typeof origin.schedule === 'number' ? origin.schedule : null;
      if (schedule_id !== null && !scheduleIds.has(schedule_id)) return null;
      return { job_id: origin.job, schedule_id };
    }
  });
}
