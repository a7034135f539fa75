import type { ScheduleWritten } from '@holdfast/contracts';
import { parseCron } from '../calendar/cron.rules.js';
import { copyName } from '../calendar/schedule.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { newUid } from '../kernel/new-uid.js';
import { scheduleRepositories, schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { sayingNameIsTaken } from './check-schedule.js';
import { findSchedule } from '../calendar/find-schedule.js';
import { viewSchedule } from './view-schedule.js';

/** A disabled copy with a name of its own. AppError `not_found`. */
export const duplicateSchedule =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (id: number): Promise<ScheduleWritten> => {
    const now = clock.now();
    const work = () => inTransaction(storage, (session) => copy(session, { id, now }));
    const copied = await sayingNameIsTaken(work);
    const job = await viewSchedule(storage, { id: copied, now });
    return { success: true, message: `Schedule ${job.name} was created, disabled.`, job };
  };

async function copy(session: StorageSession, { id, now }: { id: number; now: number }): Promise<number> {
  const { id: _, ...original } = await findSchedule(session, id);
  const names = await session.find(schedules);
  const row = await session.insert(schedules, {
    ...original,
    uid: newUid(),
    name: copyName(original.name, new Set(names.map(({ name }) => name))),
    enabled: false,
    next_run: parseCron(original.cron_expression, original.timezone).next(now),
    ...{ last_run: null, last_prune: null, last_compact: null, last_error: null },
    ...{ last_planned: null, last_late_ms: null },
    ...{ created_at: now, updated_at: now },
  });
  const links = await session.find(scheduleRepositories, { where: { schedule_id: id } });
  for (const { id: _link, ...link } of links) {
    await session.insert(scheduleRepositories, { ...link, schedule_id: row.id });
  }
  return row.id;
}
