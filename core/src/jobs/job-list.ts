import type { StorageSession } from '@holdfast/plugin-api';
import { type JobFilter, lookupsOf } from './job-list.rules.js';
import { type JobRow, jobs } from './tables.js';

export interface JobPlace {
  /** Only jobs with a lower id. */
  before?: number | undefined;
  limit: number;
}

/** The newest jobs of a filter, in descending order of their ids. */
export async function newestJobs(
  session: StorageSession,
  filter: JobFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: JobPlace,
): Promise<JobRow[]> {
  let page: JobRow[] = [];
  for (const where of lookupsOf(filter)) {
    // What is older than a full page is not read.
    const oldest = page.length < limit ? 0 : (page.at(-1)?.id ?? 0);
    const id = { gt: oldest, lt: before };
    const found = await session.find(jobs, { where: { ...where, id }, order: [['id', 'desc']], limit });
    if (found.length > 0) page = merged(page, found).slice(0, limit);
  }
  return page;
}

/** A job that moved on between two lookups is in both: the later one counts. */
function merged(page: readonly JobRow[], found: readonly JobRow[]): JobRow[] {
  const byId = new Map([...page, ...found].map((job) => [job.id, job]));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}
