import type { ScheduleRun, ScheduleView } from '@holdfast/contracts';
import { cronRule } from '../calendar/cron.rules.js';
import { maskValues } from '../hooks/script.rules.js';
import type { RepositoryRow, ScheduleRow, SlotRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export function scheduleView(
  row: ScheduleRow,
  { repositories, now }: { repositories: readonly RepositoryRow[]; now: number },
): ScheduleView {
  const [first] = repositories;
  const only = repositories.length === 1 && first ? first : null;
  const { last_run, next_run: _, last_prune, last_compact, created_at, updated_at, ...others } = row;
  const { last_planned: __, last_late_ms: ___, uid: ____, ...rest } = others;
  return {
    ...rest,
    pre_backup_script_parameters: maskValues(rest.pre_backup_script_parameters),
    post_backup_script_parameters: maskValues(rest.post_backup_script_parameters),
    repository: only?.path ?? null,
    repository_id: only?.id ?? null,
    repository_ids: repositories.map(({ id }) => id),
    last_run: isoTime(last_run),
    next_run: isoTime(nextRun(row, now)),
    last_prune: isoTime(last_prune),
    last_compact: isoTime(last_compact),
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  };
}

/** What is stored, but for a disabled schedule whose stored instant went by: what it would be now. */
function nextRun(row: ScheduleRow, now: number): number | null {
  if (row.enabled || row.next_run === null || row.next_run > now) return row.next_run;
  return cronRule(row)?.next(now) ?? null;
}

export const slotView = (slot: SlotRow): ScheduleRun => ({
  planned_at: isoTime(slot.planned_at),
  trigger: slot.trigger,
  started_at: isoTime(slot.started_at),
  completed_at: isoTime(slot.completed_at),
  late_seconds: slot.late_ms === null ? null : slot.late_ms / 1000,
  outcome: slot.outcome,
  reason: slot.reason,
  job_ids: slot.job_ids,
  count: slot.count,
});
