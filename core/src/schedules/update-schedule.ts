import type { ScheduleChanges, ScheduleWritten } from '@holdfast/contracts';
import { parseCron } from '../calendar/cron.rules.js';
import { invalid } from '../kernel/errors.js';
import type { SecretBox } from '../ports/services.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type ScheduleRow, scheduleRepositories, schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { checkArchiveNames, checkRetention, sayingNameIsTaken, settingsGiven } from './check-schedule.js';
import { findSchedule } from '../calendar/find-schedule.js';
import { recordPassed } from './record-passed.js';
import { ringSchedule } from './ring-schedule.js';
import { linkRepositories, noRepositories, selectedRepositories } from './schedule-repositories.js';
import { scriptSettings } from './schedule-scripts.js';
import { viewSchedule } from './view-schedule.js';
import { writeWarnings } from './write-warnings.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'alarms' | 'log'>;

/** Changes what is given; of two changes at once the later one wins, field by field. AppError as for creating. */
export const updateSchedule =
  (needs: Needs) =>
  async (id: number, input: ScheduleChanges): Promise<ScheduleWritten> => {
    const { storage, secrets, clock } = needs;
    const now = clock.now();
    const work = () => inTransaction(storage, (session) => change(session, secrets, { id, input, now }));
    const row = await sayingNameIsTaken(work);
    ringSchedule(needs, row);
    const job = await viewSchedule(storage, { id, now });
    return { success: true, message: `Schedule ${job.name} was updated.`, job, ...writeWarnings(input) };
  };

interface Change {
  id: number;
  input: ScheduleChanges;
  now: number;
}

async function change(
  session: StorageSession,
  secrets: SecretBox,
  { id, input, now }: Change,
): Promise<ScheduleRow> {
  const before = await findSchedule(session, id);
  checkArchiveNames(input);
  const scripts = await scriptSettings(session, secrets, { before, input });
  const settings = { ...settingsGiven(input), ...scripts };
  const after: ScheduleRow = { ...before, ...settings, enabled: input.enabled ?? before.enabled };
  checkRetention(after);
  await changeLinks(session, before, input);
  const patch: Partial<ScheduleRow> = {
    ...settings,
    ...(await turned(session, { before, after, now })),
    updated_at: Math.max(now, before.updated_at + 1),
  };
  await session.update(schedules, { id }, patch);
  return { ...after, ...patch };
}

/** The columns that change when a schedule is switched on or off, or gets another rule. AppError `invalid`. */
export async function turned(
  session: StorageSession,
  { before, after, now }: { before: ScheduleRow; after: ScheduleRow; now: number },
): Promise<Partial<ScheduleRow>> {
  const enabling = after.enabled && !before.enabled;
  const otherRule = after.cron_expression !== before.cron_expression || after.timezone !== before.timezone;
  if (enabling) await refuseWithoutRepositories(session, before.id);
  const switched = after.enabled === before.enabled ? {} : { enabled: after.enabled };
  if (!enabling && !otherRule && before.next_run !== null) return switched;
  const rule = parseCron(after.cron_expression, after.timezone);
  await recordPassed(session, before, now);
  return { ...switched, next_run: rule.next(now), ...(enabling ? { last_error: null } : {}) };
}

async function refuseWithoutRepositories(session: StorageSession, id: number): Promise<void> {
  const [link] = await session.find(scheduleRepositories, { where: { schedule_id: id }, limit: 1 });
  if (!link) throw invalid(noRepositories);
}

/** A null for the one selector of a schedule with several repositories changes nothing: it is null already. */
async function changeLinks(
  session: StorageSession,
  before: ScheduleRow,
  input: ScheduleChanges,
): Promise<void> {
  const { repository_ids: ids, repository_id: id, repository } = input;
  if (ids === undefined && id == null && repository == null) {
    const links = await session.find(scheduleRepositories, { where: { schedule_id: before.id }, limit: 2 });
    if (links.length > 1) return;
  }
  const selected = await selectedRepositories(session, input);
  if (selected) await linkRepositories(session, before.id, selected);
}
