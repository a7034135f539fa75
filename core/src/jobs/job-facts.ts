import type { StorageSession } from '@holdfast/plugin-api';
import { newUid } from '../kernel/index.js';
import type { MaintenanceStatus } from './job.rules.js';
import { type JobRow, jobs } from './tables.js';

/** What the tool said of its work, before the job ends. Nothing when the job belongs to another run by now. */
export const noteReport = (
  session: StorageSession,
  { id, fence }: Pick<JobRow, 'id' | 'fence'>,
  reported: JobRow['reported'],
) => session.update(jobs, { id, fence }, { reported });

/** What became of the maintenance after a backup. Nothing when the backup's job is gone. */
export const noteMaintenance = (session: StorageSession, id: number, status: MaintenanceStatus) =>
  session.update(jobs, { id, kind: 'backup' }, { maintenance_status: status });

/** Jobs of a schedule that is deleted stay, without it. */
export const forgetScheduleInJobs = (session: StorageSession, id: number) =>
  session.update(jobs, { schedule_id: id }, { schedule_id: null, slot_id: null });

/** Gives waiting jobs of before there were random ids one. One that runs goes on under its number: its archive has that. */
export async function giveJobUids(session: StorageSession): Promise<void> {
  const waiting = { uid: null, status: 'pending' } as const;
  for (const { id } of await session.find(jobs, { where: waiting }))
    await session.update(jobs, { ...waiting, id }, { uid: newUid() });
}
