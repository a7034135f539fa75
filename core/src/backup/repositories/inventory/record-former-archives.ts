import type { StorageBackend } from '@holdfast/plugin-api';
import { jobs } from '../../../engine/jobs/index.js';
import { inTransaction } from '../../../foundation/kernel/index.js';
import { schedules } from '../../schedules/tables.js';
import { parseArchiveComment } from '../archive-name.rules.js';
import { type ArchiveRow, archives } from '../tables.js';
import { recordedArchives } from './recorded-archives.js';

/**
 * Records which job made each archive, where an earlier release left this to the comments. Safe to repeat and to run
 * in several processes at once.
 */
export async function recordFormerArchives(storage: StorageBackend, installation: string): Promise<void> {
  // Listings do not contain the number of files: only the end of a job wrote it, or `measureArchives`.
  const where = { job_id: null, files: { not: null }, measured_at: null };
  const unrecorded = await storage.find(archives, { where });
  for (const id of new Set(unrecorded.map(({ repository_id }) => repository_id))) {
    const rows = unrecorded.filter(({ repository_id }) => repository_id === id);
    await recordFormer(storage, { id, rows, installation });
  }
}

interface Former {
  /** Id of the repository. */
  id: number;
  rows: readonly ArchiveRow[];
  installation: string;
}

/** When the job is gone, its comment is used: the job itself put this archive into the inventory. */
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
