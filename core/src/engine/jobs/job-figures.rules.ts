import type { JobKind, TerminalStatus } from './job.rules.js';

/**
 * The newest ended jobs of a kind, regardless of the order in which they are added. Milliseconds, seconds, bytes;
 * null when there is none.
 */
interface LastJob {
  endedAt: number;
  /** It did its work, possibly with warnings. */
  success: boolean;
  /** The newest one that was started, its duration, and how long it waited before. */
  begun: { endedAt: number; seconds: number; waited: number } | null;
  /** The newest one that did its work. */
  good: { endedAt: number; originalSize: number; deduplicatedSize: number; unread?: number } | null;
  /** The newest one without warnings. */
  clean: { endedAt: number } | null;
  /** The newest one that was not cancelled. */
  judged: { endedAt: number; jobId: number; success: boolean } | null;
  /** The newest one that found damage; `confined`: only in known archives. */
  damaged: { endedAt: number; jobId: number; confined?: boolean } | null;
}

/** Totals of the ended jobs of one repository. JSON. */
export interface JobFigures {
  counts: Partial<Record<JobKind, Partial<Record<TerminalStatus, number>>>>;
  last: Partial<Record<JobKind, LastJob>>;
}

export interface EndedJobFacts {
  jobId: number;
  kind: JobKind;
  status: TerminalStatus;
  requestedAt: number;
  startedAt: number | null;
  endedAt: number;
  originalSize: number;
  deduplicatedSize: number;
  damaged: boolean;
  confined?: boolean;
  /** How many paths it could not read. */
  unread?: number;
}

export const noFigures: JobFigures = { counts: {}, last: {} };

/** The figures with one more ended job. */
export function withEnded(figures: JobFigures, job: EndedJobFacts): JobFigures {
  const { kind, status } = job;
  const count = (figures.counts[kind]?.[status] ?? 0) + 1;
  return {
    counts: { ...figures.counts, [kind]: { ...figures.counts[kind], [status]: count } },
    last: { ...figures.last, [kind]: lastWith(figures.last[kind], job) },
  };
}

function lastWith(before: LastJob | undefined, job: EndedJobFacts): LastJob {
  const { jobId, startedAt, endedAt, originalSize, deduplicatedSize, unread } = job;
  const sizes = { originalSize, deduplicatedSize, ...(unread ? { unread } : {}) };
  const success = job.status === 'completed' || job.status === 'completed_with_warnings';
  const newest = before && before.endedAt > endedAt ? before : { endedAt, success };
  return {
    endedAt: newest.endedAt,
    success: newest.success,
    begun: newer(before?.begun, startedAt === null ? null : timesOf(job, startedAt)),
    good: newer(before?.good, success ? { endedAt, ...sizes } : null),
    clean: newer(before?.clean, job.status === 'completed' ? { endedAt } : null),
    judged: newer(before?.judged, job.status === 'cancelled' ? null : { endedAt, jobId, success }),
    damaged: newer(
      before?.damaged,
      job.damaged ? { endedAt, jobId, ...(job.confined ? { confined: true } : {}) } : null,
    ),
  };
}

const timesOf = ({ requestedAt, endedAt }: EndedJobFacts, startedAt: number): LastJob['begun'] => ({
  endedAt,
  seconds: Math.max(0, endedAt - startedAt) / 1000,
  waited: Math.max(0, startedAt - requestedAt) / 1000,
});

/** Of two with the same end, the one added later. */
function newer<T extends { endedAt: number }>(before: T | null | undefined, now: T | null): T | null {
  if (!before || !now) return now ?? before ?? null;
  return before.endedAt > now.endedAt ? before : now;
}

/** The counts of both, with the last jobs of the first. */
export function withCountsOf(figures: JobFigures, other: JobFigures): JobFigures {
  const counts = structuredClone(figures.counts);
  for (const [kind, byStatus] of entries(other.counts)) {
    const sums = counts[kind] ?? {};
    for (const [status, count] of entries(byStatus)) sums[status] = (sums[status] ?? 0) + count;
    counts[kind] = sums;
  }
  return { ...figures, counts };
}

/** Undoes `withCountsOf`. */
export function withoutCountsOf(figures: JobFigures, other: JobFigures): JobFigures {
  const counts = structuredClone(figures.counts);
  for (const [kind, byStatus] of entries(other.counts)) {
    const sums = counts[kind] ?? {};
    for (const [status, count] of entries(byStatus)) sums[status] = Math.max(0, (sums[status] ?? 0) - count);
    counts[kind] = sums;
  }
  return { ...figures, counts };
}

/** Entries with the type of their keys. */
export const entries = <K extends string, V>(record: Partial<Record<K, V>>): [K, V][] =>
  Object.entries(record) as [K, V][];
