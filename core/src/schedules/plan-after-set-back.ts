import { cronRule } from '../calendar/cron.rules.js';
import { type ScheduleRow, schedules, slots } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'log'>;

/** What the wall clock of a machine in order is moved by at once is less. */
const noticed = 2_000;
/** Between now and the next run; a clock that was years ahead leaves more, and then the first of them will do. */
const mostSlots = 10_000;

/**
 * A clock that is ahead for a while and is put right again leaves schedules planned for what is then far away. They
 * are planned anew, for the first instant that has no slot yet: what ran early does not run again. Looks at the start
 * and when the clock was set back.
 */
export function planAfterSetBack(needs: Needs): () => Promise<void> {
  let offset = Number.POSITIVE_INFINITY;
  return async () => {
    const now = needs.clock.now();
    const present = now - performance.now();
    if (present > offset - noticed) return;
    const later = await needs.storage.find(schedules, { where: { enabled: true, next_run: { gt: now } } });
    for (const schedule of later) await planAnew(needs, schedule, now);
    offset = present;
  };
}

async function planAnew({ storage, log }: Needs, schedule: ScheduleRow, now: number): Promise<void> {
  const { id, next_run, cron_expression, timezone } = schedule;
  const rule = cronRule(schedule);
  const first = rule?.next(now);
  if (!rule || !first || next_run === null || first >= next_run) return;
  const where = { schedule_id: id, planned_at: { gte: first, lte: next_run } };
  const had = await storage.find(slots, { where, order: [['planned_at', 'asc']], limit: mostSlots });
  const known = new Set(had.map(({ planned_at }) => planned_at));
  let free = first;
  while (free < next_run && known.has(free)) free = rule.next(free);
  if (free >= next_run) return;
  const seen = { id, cron_expression, timezone, enabled: true, next_run };
  if ((await storage.update(schedules, seen, { next_run: free })) === 0) return;
  log.warn('a schedule was planned by a clock that was ahead; it is planned anew', {
    schedule: id,
    was: new Date(next_run).toISOString(),
    now: new Date(free).toISOString(),
  });
}
