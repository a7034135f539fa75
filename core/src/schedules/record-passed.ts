import { cronRule } from '../calendar/cron.rules.js';
import { summary } from '../calendar/slot.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { type ScheduleRow, slots } from '../schema/tables.js';

/**
 * Before a person's change moves `next_run`: planned instants that went by without a run come into the ledger, as
 * one row.
 */
export async function recordPassed(session: StorageSession, before: ScheduleRow, now: number): Promise<void> {
  const rule = cronRule(before);
  if (!rule || before.next_run === null || before.next_run > now) return;
  const known = { schedule_id: before.id, planned_at: before.next_run };
  const [slot] = await session.find(slots, { where: known, limit: 1 });
  if (slot) return;
  const reason = before.enabled
    ? 'The schedule was changed before this run began.'
    : 'The schedule was disabled.';
  const passed = summary(rule, { from: before.next_run, before: now + 1, reason });
  await session.insert(slots, {
    ...known,
    trigger: 'schedule',
    outcome: before.enabled ? 'missed' : 'disabled',
    reason: passed.reason,
    count: passed.count,
    job_ids: [],
  });
}
