import type { StorageSession } from '@holdfast/plugin-api';
import { inTransaction } from '../../../foundation/kernel/index.js';
import { cronOutdated, cronRule } from './cron.rules.js';
import type { Fired, PlanKind, SlotNeeds } from './plan-kind.js';
import { planSlots, type SlotPlan } from './slot.rules.js';
import type { PlanRow } from './tables.js';

interface Due<Row> {
  seen: Row;
  planned: number;
  /** Null when the cron expression is invalid. */
  plan: SlotPlan | null;
}

/**
 * Fires plans that are due. For each one, the instance that advances `next_run` from the value in `rows` does all the
 * work; others do nothing. All changes are one transaction: on rejection, with a StoreError when the storage is down,
 * nothing has changed.
 */
export async function fireSlots<Row extends PlanRow>(
  needs: SlotNeeds,
  kind: PlanKind<Row>,
  rows: readonly Row[],
): Promise<void> {
  const now = needs.clock.now();
  const paused = (await kind.pausedUntil?.(needs.storage)) ?? 0;
  const due = (await stillDue(needs, kind, rows)).flatMap((seen) => dueOf(seen, { now, paused }) ?? []);
  if (due.length === 0) return;
  const done = await inTransaction(needs.storage, async (session) => {
    const fired: (Fired & { planned: Row })[] = [];
    for (const each of due) {
      const what = await fire(needs, session, kind, each);
      if (what) fired.push({ ...what, planned: { ...each.seen, next_run: each.plan?.next ?? null } });
    }
    return fired;
  });
  for (const { events, jobIds } of done) {
    needs.events.announce(events);
    for (const id of jobIds) needs.jobs.wake(id);
  }
  kind.timers.set(needs, ...done.map(({ planned }) => planned));
}

/** A cheap read that avoids a transaction when another instance was faster. */
async function stillDue<Row extends PlanRow>(
  { storage }: SlotNeeds,
  { table }: PlanKind<Row>,
  rows: readonly Row[],
): Promise<Row[]> {
  const now = await storage.find(table, { where: { id: { in: rows.map(({ id }) => id) } } });
  const planned = new Map(now.map(({ id, next_run }) => [id, next_run]));
  return rows.filter(({ id, next_run }) => planned.get(id) === next_run);
}

function dueOf<Row extends PlanRow>(
  seen: Row,
  { now, paused }: { now: number; paused: number },
): Due<Row> | null {
  const { next_run: planned, catch_up: catchUp = 'one' } = seen;
  if (planned === null || planned > now) return null;
  const rule = cronRule(seen);
  const pausedUntil = Math.max(seen.pause_until ?? 0, paused);
  return { seen, planned, plan: rule && planSlots(rule, { planned, now, catchUp, pausedUntil }) };
}

async function fire<Row extends PlanRow>(
  needs: SlotNeeds,
  session: StorageSession,
  kind: PlanKind<Row>,
  { seen, planned, plan }: Due<Row>,
): Promise<Fired | null> {
  const { id, cron_expression, timezone, catch_up } = seen;
  const settings = { cron_expression, timezone, ...(catch_up && { catch_up }) };
  const where = { id, ...settings, enabled: true, next_run: planned };
  const patch = { ...kind.claimed?.(planned, plan), next_run: plan?.next ?? null };
  if ((await session.update(kind.table, where, patch)) === 0) return null;
  const [row] = (await session.find(kind.table, { where: { id }, limit: 1 })) as Row[];
  if (!row) return null;
  if (plan) return (await kind.run(needs, session, { row, plan })) ?? { jobIds: [], events: [] };
  const problem = cronOutdated(settings);
  return { jobIds: [], events: await kind.refuse(needs, session, { row, plannedAt: planned, problem }) };
}
