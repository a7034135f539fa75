import type { CheckScheduleChanges, CheckScheduleWritten } from '@holdfast/contracts';
import { parseCron } from '../calendar/cron.rules.js';
import { invalid, isStoreError, StoreError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type CheckScheduleRow, checkSchedules } from '../schema/tables.js';
import { checkScheduleView } from './check-schedule-view.js';
import type { Dependencies } from '../dependencies.js';
import { tidyCron } from '../schedules/check-schedule.js';
import { findRepository } from '../repositories/find-repository.js';
import { findCheckSchedule, noCheckSchedule } from './get-check-schedule.js';
import { ringCheckSchedule } from './ring-check-schedule.js';
import { cannotCheck } from './run-check.js';

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'alarms' | 'log' | 'driver'>;
type Settings = Omit<CheckScheduleRow, 'id' | 'repository_id'>;

/** Changes what is given. AppError `not_found`; `invalid` for a bad expression, zone or combination. */
export const putCheckSchedule =
  (needs: Needs) =>
  async (repositoryId: number, input: CheckScheduleChanges): Promise<CheckScheduleWritten> => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const now = needs.clock.now();
    const { row, name } = await inTransaction(needs.storage, async (session) => {
      const repository = await findRepository(session, { repository_id: repositoryId });
      const before = await findCheckSchedule(session, repositoryId);
      const after = changed(before ?? noCheckSchedule, input, now);
      return { row: await write(session, { before, after, repositoryId }), name: repository.name };
    });
    ringCheckSchedule(needs, row);
    return {
      success: true,
      message: row.enabled ? `Checks of ${name} are planned.` : `Checks of ${name} are switched off.`,
      repository: { id: repositoryId, name, ...checkScheduleView(row) },
    };
  };

function changed(before: Settings, input: CheckScheduleChanges, now: number): Settings {
  const { cron_expression: given, ...others } = input;
  const told = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const cron = given === undefined ? before.cron_expression : tidyCron(given ?? '') || null;
  const { id: _, repository_id: __, ...settings } = before as Partial<CheckScheduleRow> & Settings;
  const after: Settings = { ...settings, ...told, cron_expression: cron, enabled: cron !== null };
  if (after.verify_data && after.max_duration > 0) {
    throw invalid('verify_data needs max_duration 0: all data can not be verified in a limited time.');
  }
  const rule = parseCron(cron ?? '0 0 * * *', after.timezone);
  if (cron === null) return { ...after, next_run: null, last_error: null };
  const same = cron === before.cron_expression && after.timezone === before.timezone;
  return same && before.next_run !== null ? after : { ...after, next_run: rule.next(now), last_error: null };
}

async function write(
  session: StorageSession,
  { before, after, repositoryId }: { before: CheckScheduleRow | null; after: Settings; repositoryId: number },
): Promise<CheckScheduleRow> {
  if (before) {
    await session.update(checkSchedules, { id: before.id }, after);
    return { ...before, ...after };
  }
  try {
    return await session.insert(checkSchedules, { ...after, repository_id: repositoryId });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'The checks were planned by another one.', { cause: error });
  }
}
