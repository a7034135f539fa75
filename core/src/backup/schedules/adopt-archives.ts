import type { AdoptAnswer, AdoptInput, ReleaseAnswer, ReleaseInput } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { jobs } from '../../engine/jobs/index.js';
import {
  type Caller,
  conflict,
  inTransaction,
  invalid,
  isoTime,
  notFound,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import { makeGlob } from '../archives/index.js';
import { weigh } from '../maintenance/index.js';
import { adoptArchives, findRepository, releaseArchives } from '../repositories/index.js';
import { type ArchiveRow, archives, type RepositoryRow } from '../repositories/tables.js';
import { findSchedule, retentionOf } from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { assertCovers } from './schedule-repositories.js';
import { type ScheduleRow, schedules } from './tables.js';

/**
 * Puts archives under the retention of a schedule, by the tool's id of each. Throws AppError `not_found` for the
 * schedule, the repository or an archive; `invalid`; `conflict` for archives of another schedule; `forbidden` for a
 * browser session that must confirm.
 */
export async function adopt(
  { storage, clock }: SchedulesNeeds,
  caller: Caller,
  id: number,
  input: AdoptInput,
): Promise<AdoptAnswer> {
  if (!input.dry_run) requireConfirmation(caller, clock.now());
  return inTransaction(storage, (session) => adoptWithin(session, { id, input, now: clock.now() }));
}

/** Like `adopt`, as part of a larger transaction. */
export async function adoptWithin(
  session: StorageSession,
  { id, input, now }: { id: number; input: AdoptInput; now: number },
): Promise<AdoptAnswer> {
  const place = await placeOf(session, id, input.repository_id);
  if (input.archives === undefined && input.pattern === undefined)
    throw invalid(say`archives_not_chosen: Choose archives: give either archives or pattern.`);
  const chosen = await chosenRows(session, place.repository, input);
  await refuseOwned(session, chosen, id);
  const adopted = chosen.filter(({ schedule_id }) => schedule_id !== id);
  const ruleOf = await rulesFor(session, place, { adopted, now });
  if (!input.dry_run) await adoptArchives(session, adopted, { scheduleId: id, at: now });
  const shown = adopted
    .toSorted((a, b) => b.start - a.start)
    .map((row) => ({ id: row.tool_id, name: row.name, start: isoTime(row.start), rule: ruleOf(row) }));
  const removed = shown.filter(({ rule }) => rule === 'removed').length;
  return {
    success: true as const,
    message: adoptedText(place, { count: shown.length, removed, dry: input.dry_run }),
    dry_run: input.dry_run,
    archives: shown,
    already_count: chosen.length - adopted.length,
  };
}

/** Undoes adoptions. Throws as `adopt`, and `conflict` while a prune of the schedule works with them. */
export function release(
  { storage }: Pick<SchedulesNeeds, 'storage'>,
  id: number,
  input: ReleaseInput,
): Promise<ReleaseAnswer> {
  return inTransaction(storage, async (session) => {
    const { schedule, repository } = await placeOf(session, id, input.repository_id);
    await refuseDuringPrune(session, schedule, repository);
    const chosen = await chosenRows(session, repository, input);
    const released = chosen.filter((row) => row.schedule_id === id && row.adopted_at !== null);
    await releaseArchives(session, released);
    return {
      success: true as const,
      message: `${count(released.length)} of ${repository.name} are no longer under the retention of ${schedule.name}.`,
      archives: released.map(({ tool_id, name }) => ({ id: tool_id, name })),
    };
  });
}

interface Place {
  schedule: ScheduleRow;
  repository: RepositoryRow;
}

async function placeOf(session: StorageSession, id: number, repository_id: number): Promise<Place> {
  const schedule = await findSchedule(session, id);
  const repository = await findRepository(session, { repository_id });
  await assertCovers(session, schedule, repository);
  return { schedule, repository };
}

/** All archives of the repository when none are named. */
async function chosenRows(
  session: StorageSession,
  { id, name: repository }: RepositoryRow,
  { archives: names, pattern }: ReleaseInput,
): Promise<ArchiveRow[]> {
  const rows = await session.find(archives, { where: { repository_id: id } });
  if (pattern !== undefined && names !== undefined)
    throw invalid(say`archives_chosen_twice: Give either archives or pattern, not both.`);
  if (pattern !== undefined) {
    const isMatch = makeGlob(pattern, { caseSensitive: true });
    const matching = rows.filter(({ name }) => isMatch(name));
    if (matching.length > 0) return matching;
    throw notFound(say`archives_unmatched: No archive of ${{ repository }} matches ${{ pattern }}.`);
  }
  if (names === undefined) return rows;
  const byName = new Map(rows.flatMap((row) => [[row.tool_id, row] as const]));
  for (const row of rows) byName.set(row.name, row);
  const found = names.map((name) => byName.get(name) ?? byName.get(name.toLowerCase()));
  const unknown = names.filter((_, index) => !found[index]);
  if (unknown.length === 0) return [...new Set(found.filter((row) => row !== undefined))];
  throw notFound(
    say`archives_unknown: ${{ repository }} has no archive ${{ archives: few(unknown) }}: see GET /api/archives/list.`,
  );
}

async function refuseOwned(session: StorageSession, rows: readonly ArchiveRow[], id: number): Promise<void> {
  const foreign = rows.filter(({ schedule_id }) => schedule_id !== null && schedule_id !== id);
  const owners = [...new Set(foreign.flatMap(({ schedule_id }) => schedule_id ?? []))];
  const [owner] = await session.find(schedules, { where: { id: { in: owners } }, limit: 1 });
  if (!owner) return;
  const names = foreign.filter(({ schedule_id }) => schedule_id === owner.id).map(({ name }) => name);
  throw conflict(
    say`archives_of_other_schedule: These archives belong to schedule ${{ schedule: owner.name }}: ${{ archives: few(names) }}. Leave them out, or delete that schedule first.`,
  );
}

/** A prune that has begun may already be removing them. */
async function refuseDuringPrune(
  session: StorageSession,
  { id, name }: ScheduleRow,
  repository: RepositoryRow,
): Promise<void> {
  const where = { repository_id: repository.id, kind: 'prune', status: 'running' } as const;
  const running = (await session.find(jobs, { where })).find(
    ({ parameters }) => parameters.scheduleId === id,
  );
  if (!running) return;
  throw conflict(
    say`prune_running: Prune job ${{ job: running.id }} of schedule ${{ schedule: name }} is running. Wait until it ends, or cancel it.`,
  );
}

/** What the next prune does with each adopted archive. */
async function rulesFor(
  session: StorageSession,
  { schedule, repository }: Place,
  { adopted, now }: { adopted: readonly ArchiveRow[]; now: number },
): Promise<(row: ArchiveRow) => string> {
  if (!schedule.run_prune_after) return () => 'keeps everything';
  const also = new Set(adopted.map(({ tool_id }) => tool_id));
  const whose = { repositoryId: repository.id, scheduleId: schedule.id, also };
  const { kept } = await weigh(session, { ...whose, rules: retentionOf(schedule), now });
  const rules = new Map(kept.map(({ archive, reason }) => [archive.id, reason]));
  return ({ tool_id }) => rules.get(tool_id) ?? 'removed';
}

function adoptedText(
  { schedule, repository }: Place,
  { count: total, removed, dry }: { count: number; removed: number; dry: boolean },
): string {
  const fall = dry ? 'would fall' : 'now fall';
  const first = `${count(total)} of ${repository.name} ${fall} under the retention of ${schedule.name}`;
  if (!schedule.run_prune_after) return `${first}, which keeps everything: run_prune_after is off.`;
  return `${first}. The next prune ${dry ? 'would remove' : 'removes'} ${removed} of them.`;
}

const count = (archives: number): string => (archives === 1 ? '1 archive' : `${archives} archives`);

const mostNamed = 5;

/** For a sentence. */
const few = (names: readonly string[]): string[] =>
  names.length <= mostNamed
    ? [...names]
    : [...names.slice(0, mostNamed), `and ${names.length - mostNamed} more`];
