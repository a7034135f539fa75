import type { NewSchedule, ScheduleWritten } from '@holdfast/contracts';
import { type CronRule, parseCron } from '../calendar/cron.rules.js';
import { invalid } from '../kernel/errors.js';
import type { SecretBox } from '../ports/services.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { newUid } from '../kernel/new-uid.js';
import { type ScheduleRow, schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import {
  checkArchiveNames,
  checkRetention,
  sayingNameIsTaken,
  settingsGiven,
  tidyCron,
} from './check-schedule.js';
import { ringSchedule } from './ring-schedule.js';
import { linkRepositories, noRepositories, selectedRepositories } from './schedule-repositories.js';
import { scriptSettings } from './schedule-scripts.js';
import { viewSchedule } from './view-schedule.js';
import { writeWarnings } from './write-warnings.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'alarms' | 'log'>;

/** AppError `invalid`, `conflict` (name). */
export const createSchedule =
  (needs: Needs) =>
  async (input: NewSchedule): Promise<ScheduleWritten> => {
    const { storage, secrets, clock } = needs;
    const rule = parseCron(input.cron_expression, input.timezone);
    checkArchiveNames(input);
    checkRetention(input);
    const now = clock.now();
    const work = () =>
      inTransaction(storage, (session) => insertSchedule(session, secrets, { input, rule, now }));
    const row = await sayingNameIsTaken(work);
    ringSchedule(needs, row);
    const job = await viewSchedule(storage, { id: row.id, now });
    return { success: true, message: `Schedule ${job.name} was created.`, job, ...writeWarnings(input) };
  };

async function insertSchedule(
  session: StorageSession,
  secrets: SecretBox,
  { input, rule, now }: { input: NewSchedule; rule: CronRule; now: number },
): Promise<ScheduleRow> {
  const repositories = await selectedRepositories(session, input);
  if (!repositories) throw invalid(noRepositories);
  const { name, cron_expression, timezone, catch_up, enabled } = input;
  const row = await session.insert(schedules, {
    uid: newUid(),
    ...settingsGiven(input),
    ...(await scriptSettings(session, secrets, { before: null, input })),
    ...{ name, cron_expression: tidyCron(cron_expression), timezone, catch_up, enabled },
    ...{ next_run: rule.next(now), created_at: now, updated_at: now },
  });
  await linkRepositories(session, row.id, repositories);
  return row;
}
