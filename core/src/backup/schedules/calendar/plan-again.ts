import type { Clock, Log } from '@holdfast/plugin-api';
import { clockToleranceMs } from '../../../foundation/kernel/index.js';
import type { CronRule } from './cron.rules.js';

/** Selects enabled rows that are planned for a period. */
export interface DueQuery {
  where: { enabled: true; next_run: { gt?: number; lte?: number } };
  order?: readonly [readonly ['next_run', 'asc']];
  limit?: number;
  offset?: number;
}

/** A row of what is planned. */
export interface Planned {
  id: number;
  next_run: number | null;
}

interface PlanAgainParts<Row extends Planned> {
  find(query: DueQuery): Promise<Row[]>;
  ruleOf(row: Row): CronRule | null;
  /** Changes nothing if the row is no longer planned as it was seen. */
  move(row: Row, next: number): Promise<number>;
  clock: Clock;
  log: Log;
}

/**
 * Plans again what a clock that was ahead planned too far in the future: at the start at once, later when two looks
 * find it, so that a clock that is behind for a moment changes nothing.
 */
export function planAgain<Row extends Planned>({ find, ruleOf, move, clock, log }: PlanAgainParts<Row>) {
  /** A plan that was right at one time is right at any later time. */
  const right = new Map<number, { planned: number; since: number }>();
  let suspects: ReadonlySet<number> | null = null;
  return async (): Promise<void> => {
    const now = clock.now();
    const latest = now + clockToleranceMs;
    const found = new Set<number>();
    for (const row of await find({ where: { enabled: true, next_run: { gt: latest } } })) {
      const planned = row.next_run ?? latest;
      const known = right.get(row.id);
      if (known?.planned === planned && known.since <= now) continue;
      const rule = ruleOf(row);
      if (!rule || planned <= rule.next(latest)) {
        right.set(row.id, { planned, since: now });
        continue;
      }
      found.add(row.id);
      const next = rule.next(now);
      if ((suspects && !suspects.has(row.id)) || (await move(row, next)) === 0) continue;
      const [was, is] = [planned, next].map((at) => new Date(at).toISOString());
      log.warn('a plan was made by a clock that was ahead; planning it again', { id: row.id, was, now: is });
    }
    suspects = found;
  };
}
