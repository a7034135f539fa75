import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import type { Retention } from '../../src/app/housekeeping/sweep.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { noteEnded } from '../../src/engine/jobs/job-figures.js';
import { type JobRow, jobFigures, jobLogs, jobs } from '../../src/engine/jobs/tables.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { silentLog } from '../fakes/silent-log.js';

export const day = 86_400_000;

/** A storage with jobs of the past, and housekeepers over it. */
export function makeWorld() {
  const storage = memoryStorage();
  const clock = manualClock();
  const log = silentLog();
  const needs = { storage, clock, log };

  /** An ended job that is so many days old. */
  const addJob = async (daysOld: number, values: Partial<JobRow> = {}): Promise<JobRow> => {
    const at = clock.now() - daysOld * day;
    const row = await storage.insert(jobs, {
      kind: 'check',
      status: 'completed',
      repository_id: 1,
      repository_path: '/r',
      repository_name: 'r',
      requested_by: 'alice',
      requested_at: at,
      started_at: at,
      completed_at: at,
      parameters: {},
      progress: noProgress,
      ...values,
    });
    await storage.transaction((session) => noteEnded(session, row));
    return row;
  };
  return {
    ...needs,
    addJob,
    addLog: (job: JobRow) =>
      storage.insert(jobLogs, { job_id: job.id, first_line: 0, line_count: 1, content: 'a line' }),
    addRepository: (name: string) =>
      storage.insert(repositories, {
        uid: name,
        tool_id: name,
        name,
        path: `/${name}`,
        mode: 'full',
        encryption: 'none',
        compression: 'lz4',
        source_directories: [],
        exclude_patterns: [],
        created_at: 0,
        updated_at: 0,
      }),
    /** One process that begins now: its round finds every rule due. */
    async round(retention: Partial<Retention> = {}) {
      clock.advance(11 * 60_000);
      await makeHousekeepingWorker(needs, retention).round();
    },
    figures: async () =>
      (await storage.find(jobFigures, { order: [['repository_id', 'asc']] })).map(({ id: _, ...row }) => row),
    idsOfJobs: async () => (await storage.find(jobs)).map(({ id }) => id),
  };
}
