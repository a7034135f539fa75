import type { Schemas } from '../../api/client.js';

type Job = Schemas['JobView'];

export interface Lane {
  key: string;
  name: string;
  jobs: Job[];
}

export interface Picture {
  /** Milliseconds since 1970. */
  from: number;
  lanes: Lane[];
  count: number;
}

const hour = 3_600_000;
const spans = [24 * hour, 7 * 24 * hour, 30 * 24 * hour];

export const startOf = ({ started_at, requested_at }: Job): number => Date.parse(started_at ?? requested_at);
export const endOf = ({ completed_at }: Job, now: number): number =>
  completed_at ? Math.min(now, Date.parse(completed_at)) : now;

const urgency = ['failed', 'running'];
const urgencyOf = ({ jobs }: Lane) => Math.max(...jobs.map(({ status }) => urgency.indexOf(status)));

/**
 * One lane for each repository with a job in the last day, or the last week or month if there was none. Not before
 * the oldest job that was read, unless those are all. Lanes with running jobs come first, then those with failures.
 */
export function pictureOf(jobs: readonly Job[], now: number, isAll: boolean): Picture | null {
  const oldest = Math.min(...jobs.map(({ requested_at }) => Date.parse(requested_at)));
  for (const span of spans) {
    const from = isAll ? now - span : Math.max(oldest, now - span);
    const shown = jobs.filter((job) => endOf(job, now) >= from);
    if (shown.some(({ status }) => status !== 'pending'))
      return { from: Math.min(from, now - hour / 60), lanes: lanesOf(shown), count: shown.length };
  }
  return null;
}

function lanesOf(jobs: readonly Job[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const job of [...jobs].sort((one, other) => startOf(other) - startOf(one))) {
    const key = String(job.repository_id ?? job.repository);
    const lane = lanes.get(key);
    if (lane) lane.jobs.push(job);
    else lanes.set(key, { key, name: job.repository_name, jobs: [job] });
  }
  return [...lanes.values()].sort((one, other) => urgencyOf(other) - urgencyOf(one));
}
