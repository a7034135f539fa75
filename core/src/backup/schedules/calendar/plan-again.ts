import { clockToleranceMs, partOf } from '../../../foundation/kernel/index.js';
import { cronRule } from './cron.rules.js';
import type { PlanKind, SlotNeeds } from './plan-kind.js';

/**
 * Plans again what a clock that was ahead planned too far in the future: at the start at once, later when two looks
 * find it, so that a clock that is behind for a moment changes nothing.
 */
export function planAgain({ storage, clock, log }: SlotNeeds, { table, again }: PlanKind) {
  /** A plan that was right at one time is right at any later time. */
  const right = new Map<number, { planned: number; since: number }>();
  let suspects: ReadonlySet<number> | null = null;
  const times = partOf(table, 'id', 'enabled', 'cron_expression', 'timezone', 'next_run');
  return async (): Promise<void> => {
    const now = clock.now();
    const latest = now + clockToleranceMs;
    const found = new Set<number>();
    for (const row of await storage.find(times, { where: { enabled: true, next_run: { gt: latest } } })) {
      const { id, cron_expression, timezone, next_run } = row;
      const planned = next_run ?? latest;
      const known = right.get(id);
      if (known?.planned === planned && known.since <= now) continue;
      const rule = cronRule(row);
      if (!rule || planned <= rule.next(latest)) {
        right.set(id, { planned, since: now });
        continue;
      }
      found.add(id);
      if (suspects && !suspects.has(id)) continue;
      const next = rule.next(now);
      const seen = { id, cron_expression, timezone, enabled: true, next_run };
      if ((await storage.update(table, seen, { ...again, next_run: next })) === 0) continue;
      const [was, is] = [planned, next].map((at) => new Date(at).toISOString());
      log.warn('a plan was made by a clock that was ahead; planning it again', { id, was, now: is });
    }
    suspects = found;
  };
}
