import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../../foundation/kernel/index.js';
import type { JobKind } from './job.rules.js';
import { type JobRow, jobs } from './tables.js';

/** The job of this kind, or of any. Throws AppError `not_found`. */
export async function findJob(storage: StorageSession, kind: JobKind | null, id: number): Promise<JobRow> {
  const [job] = await storage.find(jobs, { where: kind ? { id, kind } : { id }, limit: 1 });
  if (job) return job;
  throw notFound(
    kind
      ? say`job_of_kind_unknown: There is no ${{ kind: kind.replace('_', ' ') }} job ${{ id }}.`
      : say`job_unknown: There is no job ${{ id }}.`,
  );
}
