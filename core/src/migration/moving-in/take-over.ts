import { newSchedule, type TakeOverAnswer, type TakeOverInput } from '@holdfast/contracts';
import {
  archives,
  changeRepository,
  currentRepository,
  findRepository,
  isCheckpointName,
  refuseLoss,
  remarksOn,
  viewRepository,
} from '../../backup/repositories/index.js';
import {
  adoptWithin,
  announceSchedule,
  conflictIfNameTaken,
  type ScheduleRow,
  scheduleInsertion,
} from '../../backup/schedules/index.js';
import {
  type Caller,
  conflict,
  escapeName,
  invalid,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import type { MovingInNeeds } from './needs.js';
import { allSeries, patternOf } from './series.rules.js';

const oldOff = () =>
  conflict(
    say`old_scheduler_running: Turn off the program that has made the archives so far, then confirm it with old_scheduler_off: two schedulers would back up twice, and prune by two sets of rules.`,
  );

/**
 * Takes over the backups of a repository: stores sources, full mode and a schedule, and optionally adopts
 * existing archives, in one transaction. Throws AppError `not_found`; `invalid`; `conflict` if the old
 * scheduler is not confirmed to be off, for a used name, and for archives of another schedule; `forbidden`
 * for a browser session that must confirm.
 */
export async function takeOver(
  needs: MovingInNeeds,
  caller: Caller,
  id: number,
  input: TakeOverInput,
): Promise<TakeOverAnswer> {
  const { storage, clock } = needs;
  if (!input.old_scheduler_off) throw oldOff();
  const adopts = input.old_archives === 'adopt';
  if (adopts) requireConfirmation(caller, clock.now());
  if (input.pattern !== undefined && !adopts)
    throw invalid(say`pattern_without_adoption: pattern is only for old_archives: adopt.`);
  const found = await findRepository(storage, { repository_id: id });
  if (found.mode === 'full')
    refuseLoss(
      { before: found.source_directories, after: input.source_directories, of: found.name },
      input.replace_sources,
    );
  if (adopts) await currentRepository(needs, found);
  const others = await seriesIn(storage, id);
  if (adopts && input.pattern === undefined && others.length > 1) throw severalSeries(others);
  const plan = newSchedule.parse({ ...input.schedule, repository_ids: [id] });
  const insert = scheduleInsertion(needs, plan);
  let schedule: ScheduleRow | null = null;
  let adopted: string[] = [];
  await changeRepository(needs, id, {
    input: settingsOf(input),
    also: async (session) => {
      const now = clock.now();
      adopted = [];
      schedule = await conflictIfNameTaken(() => insert(session, now));
      const old = adopts ? await session.find(archives, { where: { repository_id: id }, limit: 1 }) : [];
      if (old.length === 0) return;
      const choice = input.pattern === undefined ? { pattern: '*' } : { pattern: input.pattern };
      const chosen = { repository_id: id, dry_run: false, ...choice };
      const answer = await adoptWithin(session, { id: schedule.id, input: chosen, now });
      adopted = answer.archives.map(({ rule }) => rule);
    },
  });
  const row = schedule as ScheduleRow | null;
  if (!row) throw new Error('the transaction inserted no schedule');
  announceSchedule(needs, row);
  const removed = adopted.filter((rule) => rule === 'removed').length;
  const warnings = await remarksOn(needs, id, { source_directories: input.source_directories });
  if (others.length > 1) warnings.push(otherSeries(others).text);
  return {
    success: true,
    message: summary(found.name, row, { adopted: adopted.length, removed }),
    repository: await viewRepository(storage, id),
    schedule_id: row.id,
    adopted_count: adopted.length,
    removed_next: removed,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** As patterns with their hosts. */
async function seriesIn(storage: MovingInNeeds['storage'], id: number): Promise<string[]> {
  const rows = await storage.find(archives, { where: { repository_id: id } });
  return allSeries(rows.filter(({ name }) => !isCheckpointName(name))).map(
    ({ prefix, hostname }) => `${escapeName(patternOf(prefix))} (${escapeName(hostname)})`,
  );
}

const severalSeries = (series: string[]) =>
  invalid(
    say`adoption_of_several_series: The archives belong to several series: ${{ series: series.slice(0, 10) }}. The same retention would let one series push out the others: choose one series by its pattern.`,
  );
const otherSeries = (series: string[]) =>
  say`take_over_other_series: The archives belong to several series: ${{ series: series.slice(0, 10) }}. Holdfast continues only the series that this schedule backs up: make sure that another program still makes the others.`;

function settingsOf(input: TakeOverInput) {
  const { source_directories, exclude_patterns, compression, custom_flags, source_connection_id } = input;
  return {
    mode: 'full' as const,
    bypass_lock: false,
    source_set_id: null,
    source_directories,
    exclude_patterns,
    compression,
    custom_flags: custom_flags ?? null,
    source_connection_id: source_connection_id ?? null,
  };
}

function summary(
  name: string,
  schedule: ScheduleRow,
  { adopted, removed }: { adopted: number; removed: number },
): string {
  const first = `Schedule ${schedule.name} now backs up repository ${name}.`;
  if (adopted === 0) return first;
  return `${first} ${adopted} archives fall under its retention; the next prune removes ${removed} of them.`;
}
