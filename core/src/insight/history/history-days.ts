import type { HistoryDays } from '@holdfast/contracts';
import { findRepository, repositories } from '../../backup/repositories/index.js';
import { knownZone, scheduleRepositories } from '../../backup/schedules/index.js';
import { isoTime, ReadCache } from '../../foundation/kernel/index.js';
import { daysUntil, stripOf } from './day.rules.js';
import { makeDayStates } from './day-states.js';
import type { HistoryNeeds } from './needs.js';

export interface DaysRequest {
  days: number;
  timezone: string;
  repository_id?: number | undefined;
}

/**
 * One state for each day and repository. Throws AppError `invalid` for an unknown time zone, `not_found` for an
 * unknown repository.
 */
export const getHistoryDays = ({ storage, clock }: Pick<HistoryNeeds, 'storage' | 'clock'>) => {
  const cache = new ReadCache(storage);
  const dayStates = makeDayStates(storage);
  return async ({ days: count, timezone, repository_id }: DaysRequest): Promise<HistoryDays> => {
    const zone = knownZone(timezone);
    if (repository_id !== undefined) await findRepository(storage, { repository_id });
    const now = clock.now();
    const make = async (): Promise<HistoryDays> => {
      const [rows, links] = await Promise.all([
        storage.find(repositories, repository_id === undefined ? {} : { where: { id: repository_id } }),
        storage.find(scheduleRepositories),
      ]);
      const days = daysUntil(now, count, zone);
      const states = await dayStates({ days, now, repositories: rows, links });
      return {
        success: true,
        as_of: isoTime(now),
        timezone: zone.name,
        first_day: days[0]?.date ?? '',
        last_day: days.at(-1)?.date ?? '',
        repositories: rows.map(({ id, name }) => ({ id, name, days: stripOf(states.get(id) ?? []) })),
      };
    };
    // Some states depend on the time, by the hour.
    const key = `${count} ${zone.name} ${repository_id ?? 'all'}`;
    return cache.read(key, make, Math.floor(now / 60_000));
  };
};
