import { inTransaction } from '../kernel/in-transaction.js';
import { schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSchedule } from '../calendar/find-schedule.js';
import { ringSchedule } from './ring-schedule.js';
import { turned } from './update-schedule.js';

/** AppError `not_found`; `invalid` when it can't be switched on: no repositories. */
export const toggleSchedule =
  (needs: Pick<Dependencies, 'storage' | 'clock' | 'alarms' | 'log'>) => async (id: number) => {
    const now = needs.clock.now();
    const row = await inTransaction(needs.storage, async (session) => {
      const before = await findSchedule(session, id);
      const after = { ...before, enabled: !before.enabled };
      const updated_at = Math.max(now, before.updated_at + 1);
      const patch = { ...(await turned(session, { before, after, now })), updated_at };
      await session.update(schedules, { id }, patch);
      return { ...after, ...patch };
    });
    ringSchedule(needs, row);
    const message = `Schedule ${row.name} was ${row.enabled ? 'enabled' : 'disabled'}.`;
    return { success: true as const, message, enabled: row.enabled };
  };
