import { type PreviewAnswer, type PreviewInput, previewInput } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { invalid, isoTime, say } from '../../foundation/kernel/index.js';
import type { ArchiveIndexes } from '../../foundation/ports/archive-index.js';
import { lostFiles } from '../archives/index.js';
import { findPause, keepsAnything, pauseText, weigh } from '../maintenance/index.js';
import { findRepository, ignoredFields } from '../repositories/index.js';
import {
  describeCron,
  findSchedule,
  knownZone,
  nextInstants,
  plannedCron,
  retentionOf,
  tidyCron,
} from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { newRetention, rulesOver } from './retention-settings.js';
import { assertCovers } from './schedule-repositories.js';
import { shownRuns } from './schedules.js';
import { simulate } from './simulate.js';

type Runs = Pick<PreviewAnswer, 'next_runs' | 'description'>;
type Judged = Pick<PreviewAnswer, 'archives' | 'kept_count' | 'removed_count' | 'as_of'>;

export type PreviewNeeds = SchedulesNeeds & { indexes: ArchiveIndexes };

/**
 * What a schedule with these settings would do: only the database is read. Throws AppError `invalid` for a wrong
 * cron expression, rules that keep nothing, or a repository of another schedule; `not_found`.
 */
export async function previewSchedule(
  needs: PreviewNeeds,
  input: PreviewInput,
  signal?: AbortSignal,
): Promise<PreviewAnswer> {
  const { storage, clock } = needs;
  const now = clock.now();
  const runs = nextRuns(input, now);
  const { judged, warnings: paused } = await judge(storage, input, now);
  const lost = input.lost ? { lost: await lostWith(needs, input, judged, signal) } : {};
  const warnings = [...ignoredFields(input, previewInput), ...paused];
  const simulation = input.simulate ? { simulation: await simulated(storage, input, now) } : {};
  return {
    success: true,
    ...runs,
    ...judged,
    ...simulation,
    ...lost,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function nextRuns({ cron_expression, timezone }: PreviewInput, now: number): Runs {
  const expression = tidyCron(cron_expression ?? null);
  const rule = plannedCron({ cron_expression: expression, timezone });
  if (!rule) return { next_runs: [], description: null };
  const next = nextInstants(rule, { after: now, count: shownRuns });
  return { next_runs: next.map((at) => isoTime(at)), description: describeCron(expression) };
}

const nothingJudged: Judged = { archives: null, kept_count: null, removed_count: null, as_of: null };

async function judge(
  session: StorageSession,
  input: PreviewInput,
  now: number,
): Promise<{ judged: Judged; warnings: string[] }> {
  const { repository_id, schedule_id: scheduleId = null } = input;
  const schedule = scheduleId === null ? null : await findSchedule(session, scheduleId);
  const rules = retentionOf(rulesOver(schedule ?? newRetention, input));
  if (!keepsAnything(rules)) {
    throw invalid(
      say`preview_keeps_nothing: These rules keep no archives: set at least one of the prune_keep_ counts above 0, or set prune_keep_within.`,
    );
  }
  if (repository_id == null) return { judged: nothingJudged, warnings: [] };
  const repository = await findRepository(session, { repository_id });
  if (schedule) await assertCovers(session, schedule, repository);
  const pair = { schedule_id: scheduleId ?? 0, repository_id };
  const pause = await findPause(session, pair);
  const timeZone = knownZone(input.timezone).name;
  const whose = { repositoryId: repository_id, scheduleId, timeZone };
  const { kept, removed } = await weigh(session, { ...whose, rules, now });
  const all = [
    ...kept.map(({ archive, reason }) => ({ archive, rule: reason })),
    ...removed.map((archive) => ({ archive, rule: 'removed' })),
  ].sort((a, b) => b.archive.start - a.archive.start);
  const archives = all.map(({ archive: { id, name, start, scheduleId: owner }, rule }) => ({
    id,
    name,
    start: isoTime(start),
    rule,
    schedule_id: owner,
  }));
  const counts = { kept_count: kept.length, removed_count: removed.length };
  const judged = { archives, ...counts, as_of: isoTime(repository.inventory_at) };
  return { judged, warnings: pause ? [`${pauseText(pause)}`] : [] };
}

async function lostWith(
  needs: PreviewNeeds,
  { repository_id }: PreviewInput,
  { archives }: Judged,
  signal: AbortSignal | undefined,
): Promise<PreviewAnswer['lost']> {
  if (repository_id == null) return null;
  const repository = await findRepository(needs.storage, { repository_id });
  const removed = (archives ?? []).filter(({ rule }) => rule === 'removed').map(({ id }) => id);
  return lostFiles(needs, repository, removed, signal);
}

/** Without a schedule that prunes, everything stays. */
async function simulated(session: StorageSession, input: PreviewInput, now: number) {
  const rule = plannedCron({ ...input, cron_expression: tidyCron(input.cron_expression ?? null) });
  if (!rule) return null;
  const base = input.schedule_id == null ? newRetention : await findSchedule(session, input.schedule_id);
  const { withinHours, ...counts } = retentionOf(rulesOver(base, input));
  const since = withinHours === null ? {} : { since: now - withinHours * 3_600_000 };
  return simulate(rule, { rules: { ...counts, ...since, timeZone: input.timezone }, now });
}
