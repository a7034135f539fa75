import type { HistoryRun, HistoryRuns } from '@holdfast/contracts';
import { DateTime } from 'luxon';
import { archives, findRepository, repositories } from '../../backup/repositories/index.js';
import { knownZone, scheduleRepositories, schedules, slots } from '../../backup/schedules/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { isoTime } from '../../foundation/kernel/index.js';
import { outages } from './day-states.js';
import type { HistoryNeeds } from './needs.js';
import { didNotRun } from './recorded-days.js';

type NotRun = (typeof didNotRun)[number];

export interface RunsRequest {
  /** `2026-03-01` */
  day: string;
  timezone: string;
  repository_id?: number | undefined;
  limit: number;
}

/**
 * What the state of a day derives from: backups, runs that did not take place, and archives of others. Throws AppError
 * `invalid` for an unknown time zone, `not_found` for an unknown repository.
 */
export const listRunsOfDay = ({ storage, clock }: Pick<HistoryNeeds, 'storage' | 'clock'>) => {
  const outagesIn = outages(storage);
  return async ({ day, timezone, repository_id, limit }: RunsRequest): Promise<HistoryRuns> => {
    const zone = knownZone(timezone);
    const of = repository_id === undefined ? {} : { repository_id };
    if (repository_id !== undefined) await findRepository(storage, of);
    const start = DateTime.fromISO(day, { zone }).startOf('day');
    const [from, to] = [start.toMillis(), start.plus({ days: 1 }).startOf('day').toMillis()];
    const within = { gte: from, lt: to };
    const most = { limit: limit + 1 };
    const links = await storage.find(scheduleRepositories, { where: of });
    const ids = [...new Set(links.map(({ schedule_id }) => schedule_id))];
    // One that a hook postponed has its jobs in the list.
    const notRun = {
      outcome: { in: didNotRun },
      schedule_id: { in: ids },
      planned_at: within,
      started_at: null,
    };
    const [made, missed, spans, foreign, named, stores] = await Promise.all([
      storage.find(jobs, {
        where: { kind: 'backup', requested_at: within, ...of },
        order: [['requested_at', 'asc']],
        ...most,
      }),
      storage.find(slots, { where: notRun, order: [['planned_at', 'asc']], ...most }),
      outagesIn([{ date: day, from, to }], clock.now()),
      storage.find(archives, {
        where: { job_id: null, start: within, ...of },
        order: [['start', 'asc']],
        ...most,
      }),
      storage.find(schedules),
      storage.find(repositories),
    ]);
    const nameOf = (rows: readonly { id: number; name: string }[], id: number | null) =>
      rows.find((row) => row.id === id)?.name ?? null;
    const run = (at: number, outcome: HistoryRun['outcome'], about: Partial<HistoryRun>): HistoryRun => ({
      at: isoTime(at),
      outcome,
      job_id: null,
      archive_name: null,
      repository_id: null,
      schedule_id: null,
      ...about,
      repository_name: about.repository_name ?? nameOf(stores, about.repository_id ?? null),
      schedule_name: nameOf(named, about.schedule_id ?? null),
    });
    // An outage that began on another day has one row for all its planned runs.
    const lasting = spans.filter(
      ({ scheduleId, slot }) => slot.planned_at < from && ids.includes(scheduleId),
    );
    const runs = [
      ...lasting.map(({ slot: { outcome, schedule_id } }) => run(from, outcome as NotRun, { schedule_id })),
      ...missed.map(({ planned_at, outcome, schedule_id }) =>
        run(planned_at, outcome as NotRun, { schedule_id }),
      ),
      ...made.map(({ id, requested_at, status, ...job }) => {
        const { repository_id, repository_name, schedule_id } = job;
        return run(requested_at, status, { job_id: id, repository_id, repository_name, schedule_id });
      }),
      ...foreign.map(({ start, repository_id, name }) =>
        run(start, 'completed', { repository_id, archive_name: name }),
      ),
    ].sort((a, b) => a.at.localeCompare(b.at));
    const shown = runs.slice(0, limit);
    return { success: true, day, timezone: zone.name, runs: shown, truncated: runs.length > limit };
  };
};
