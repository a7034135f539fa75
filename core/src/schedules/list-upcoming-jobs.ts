import type { UpcomingJob } from '@holdfast/contracts';
import { cronRule } from '../calendar/cron.rules.js';
import { type ScheduleRow, schedules } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';
import type { Dependencies } from '../dependencies.js';
import { repositoriesOf } from './schedule-repositories.js';

const hourMs = 3_600_000;
const most = 1_000;

/** Every planned run of the enabled schedules within the hours, soonest first. */
export const listUpcomingJobs =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async ({ hours }: { hours: number }) => {
    const now = clock.now();
    const until = now + hours * hourMs;
    // Of more schedules than that only the soonest can come into the answer.
    const rows = await storage.find(schedules, {
      where: { enabled: true, next_run: { lte: until } },
      order: [['next_run', 'asc']],
      limit: most,
    });
    const planned = soonest(rows, { now, until });
    const linked = await repositoriesOf(storage, [...new Set(planned.map(({ row }) => row.id))]);
    const view = ({ row, at }: Planned): UpcomingJob => {
      const repositories = (linked.get(row.id) ?? []).map(({ id, name }) => ({ id, name }));
      return {
        id: row.id,
        name: row.name,
        repository: repositories.map(({ name }) => name).join(', ') || null,
        repositories,
        next_run: isoTime(at),
        cron_expression: row.cron_expression,
      };
    };
    return { success: true as const, upcoming_jobs: planned.map(view), hours_ahead: hours };
  };

interface Planned {
  row: ScheduleRow;
  at: number;
}

/** Merges the instants of all rows; what is overdue runs at once and shows with its next instant. */
function soonest(rows: ScheduleRow[], { now, until }: { now: number; until: number }): Planned[] {
  const cursors = rows.flatMap((row) => {
    const rule = cronRule(row);
    const stored = row.next_run ?? 0;
    return rule ? [{ row, rule, at: stored > now ? stored : rule.next(now) }] : [];
  });
  const planned: Planned[] = [];
  while (planned.length < most && cursors.length > 0) {
    const next = cursors.reduce((soonest, cursor) => (cursor.at < soonest.at ? cursor : soonest));
    if (next.at > until) break;
    planned.push({ row: next.row, at: next.at });
    next.at = next.rule.next(next.at);
  }
  return planned;
}
