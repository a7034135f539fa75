import { jobKind, jobStatus } from '@holdfast/contracts';
import type { Where } from '@holdfast/plugin-api';
import type { JobKind, JobStatus } from './job.rules.js';
import type { jobs } from './tables.js';

/** Absent: all of them. Conditions hold together; several kinds or statuses are alternatives. */
export interface JobFilter {
  kinds?: readonly JobKind[] | undefined;
  statuses?: readonly JobStatus[] | undefined;
  repositoryId?: number | undefined;
  scheduleId?: number | undefined;
}

type Lookup = Where<typeof jobs>;

/**
 * The lookups that together find the jobs of a filter. An index of `tables.ts` holds the rows of each one side by
 * side and in the order of their ids, so that a page costs the same however rare its jobs are. Statuses come in the
 * order that a job takes them: one that moves on between two lookups is not missed.
 */
export function lookupsOf({ kinds, statuses, repositoryId, scheduleId }: JobFilter): Lookup[] {
  const ofKinds = chosen(jobKind.options, kinds);
  const ofStatuses = chosen(jobStatus.options, statuses);
  const about: Lookup = {
    ...(repositoryId === undefined ? {} : { repository_id: repositoryId }),
    ...(scheduleId === undefined ? {} : { schedule_id: scheduleId }),
  };
  const named = Object.keys(about).length;
  if (named < 2 && !ofKinds && !ofStatuses) return [about];
  if (named === 0 && ofKinds && !ofStatuses) return ofKinds.map((kind) => ({ kind }));
  if (scheduleId === undefined && repositoryId !== undefined && ofStatuses && !ofKinds)
    return ofStatuses.map((status) => ({ ...about, status }));
  return (ofStatuses ?? jobStatus.options).flatMap((status) =>
    (ofKinds ?? jobKind.options).map((kind) => ({ ...about, kind, status })),
  );
}

/** The values that were chosen, in the order of all of them; null when that is every one. */
function chosen<T>(all: readonly T[], given: readonly T[] | undefined): readonly T[] | null {
  const some = all.filter((value) => given?.includes(value));
  return given === undefined || some.length === all.length ? null : some;
}
