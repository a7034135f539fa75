import type { StorageSession } from '@holdfast/plugin-api';
import { newUid } from '../../foundation/kernel/index.js';
import type { JobOutcome, MaintenanceStatus } from './job.rules.js';
import { type JobRow, type JobSource, jobs } from './tables.js';

/** Records what the tool reported before the job ends. Does nothing when the job now belongs to another run. */
export const noteReport = (
  session: StorageSession,
  { id, fence }: Pick<JobRow, 'id' | 'fence'>,
  reported: JobRow['reported'],
) => session.update(jobs, { id, fence }, { reported });

/** Records the state of the maintenance after a backup. Does nothing when the backup job is gone. */
export const noteMaintenance = (session: StorageSession, id: number, status: MaintenanceStatus) =>
  session.update(jobs, { id, kind: 'backup' }, { maintenance_status: status });

/** Records how far a backup is with its sources. */
export const noteSources = (session: StorageSession, id: number | null, sources: JobSource[]) =>
  session.update(jobs, { id: id ?? 0, kind: 'backup' }, { sources });

/** Changes what is known about the result of an ended job. */
export const noteOutcome = (session: StorageSession, { id, outcome }: JobRow, facts: JobOutcome) =>
  session.update(jobs, { id }, { outcome: { ...outcome, ...facts } });

/** Jobs of a deleted schedule stay, without it. */
export const forgetScheduleInJobs = (session: StorageSession, id: number) =>
  session.update(jobs, { schedule_id: id }, { schedule_id: null, slot_id: null });

/**
 * Gives a random id to waiting jobs that were created before these ids existed. A running job keeps its number, which
 * is in the name of its archive.
 */
export async function giveJobUids(session: StorageSession): Promise<void> {
  const waiting = { uid: null, status: 'pending' } as const;
  for (const { id } of await session.find(jobs, { where: waiting }))
    await session.update(jobs, { ...waiting, id }, { uid: newUid() });
}
