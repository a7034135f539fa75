import type { JobKind } from './job.rules.js';
import { notFound } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type JobRow, jobs } from '../schema/tables.js';

/** The job of that kind, or AppError `not_found`. */
export async function findJob(storage: StorageSession, kind: JobKind, id: number): Promise<JobRow> {
  const [job] = await storage.find(jobs, { where: { id, kind }, limit: 1 });
  if (!job) throw notFound(`There is no ${kind.replace('_', ' ')} job ${id}.`);
  return job;
}
