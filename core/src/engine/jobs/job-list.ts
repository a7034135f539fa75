import type { StorageSession, Where } from '@holdfast/plugin-api';
import { isTerminal } from './job.rules.js';
import { type JobFilter, lookupsOf } from './job-list.rules.js';
import { type JobRow, jobs } from './tables.js';

export interface JobPlace {
  /** Only jobs with a lower id. */
  before?: number | undefined;
  limit: number;
}

const leastAtOnce = 5;

/** The newest jobs of a filter, in descending order of their ids. */
export async function newestJobs(
  session: StorageSession,
  filter: JobFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: JobPlace,
): Promise<JobRow[]> {
  const lookups = lookupsOf(filter);
  const share = Math.max(leastAtOnce, Math.ceil((2 * limit) / lookups.length));
  const sources: Source[] = [];
  for (const where of lookups) {
    // All that a page can need of jobs that may move on: reading on would miss one that did so meanwhile.
    const atOnce = mayMove(where) ? limit : Math.min(limit, share);
    const rows = rowsOf(session, where, { before, atOnce });
    sources.push({ rows, head: await next(rows) });
  }
  const page: JobRow[] = [];
  while (page.length < limit) {
    const newest = Math.max(...sources.map(({ head }) => head?.id ?? 0));
    if (newest === 0) break;
    const holders = sources.filter(({ head }) => head?.id === newest);
    // A job that moved on between two lookups is in both: the later one counts.
    const job = holders.at(-1)?.head;
    if (job) page.push(job);
    for (const source of holders) source.head = await next(source.rows);
  }
  return page;
}

interface Source {
  rows: AsyncGenerator<JobRow, null>;
  head: JobRow | null;
}

const next = async (rows: Source['rows']) => (await rows.next()).value;

const mayMove = ({ status }: Where<typeof jobs>) => typeof status !== 'string' || !isTerminal(status);

/**
 * The rows of one lookup, newest first. Ids have one bound only: with two, SQLite takes an index of fewer columns
 * for as good.
 */
async function* rowsOf(
  session: StorageSession,
  where: Where<typeof jobs>,
  { before, atOnce }: { before: number; atOnce: number },
): Source['rows'] {
  for (let below = before; ; ) {
    const id = { lt: below };
    const found = await session.find(jobs, {
      where: { ...where, id },
      order: [['id', 'desc']],
      limit: atOnce,
    });
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < atOnce) return null;
    below = last.id;
  }
}
