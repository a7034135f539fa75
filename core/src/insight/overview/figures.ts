import type { OverviewFigures } from '@holdfast/contracts';
import { repositories, spaceAt } from '../../backup/repositories/index.js';
import { knownZone } from '../../backup/schedules/index.js';
import { sshConnections } from '../../backup/ssh/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { grouped, isoTime, partOf, ReadCache } from '../../foundation/kernel/index.js';
import { daysUntil, samples } from '../history/index.js';
import { fullAt, slopePerDay, totals } from './growth.rules.js';
import type { OverviewNeeds } from './needs.js';

const shownDays = 30;
const located = partOf(
  repositories,
  ...(['id', 'name', 'path', 'connection_id', 'created_at', 'stored_size', 'removed_at'] as const),
  ...(['place_free', 'place_total', 'place_at'] as const),
);
const sizes = partOf(samples, 'id', 'repository_id', 'at', 'size', 'free');

/** Sums over everything, of stored data. Throws AppError `invalid` for an unknown time zone. */
export const getFigures = ({ storage, clock }: OverviewNeeds) => {
  const cache = new ReadCache(storage);
  return async ({ timezone }: { timezone: string }): Promise<OverviewFigures> => {
    const zone = knownZone(timezone);
    const now = clock.now();
    const days = daysUntil(now, shownDays, zone);
    const make = async (): Promise<OverviewFigures> => {
      const [rows, places, seen, ended] = await Promise.all([
        storage.find(located),
        storage.find(sshConnections),
        storage.find(sizes, { where: { at: { gte: days[0]?.from ?? 0 } }, order: [['at', 'asc']] }),
        storage.aggregate(jobs, {
          where: { completed_at: { gte: days.at(-1)?.from ?? 0 } },
          groupBy: ['status'],
          measures: { count: { count: true } },
        }),
      ]);
      const samplesOf = grouped(seen, ({ repository_id }) => repository_id);
      const pointsOf = ({ id }: { id: number }, figure: 'size' | 'free') =>
        (samplesOf.get(id) ?? []).flatMap(({ at, [figure]: value }) =>
          value === null ? [] : [{ at, value }],
        );
      const placeOf = new Map(places.map((row) => [row.id, row]));
      const known = rows.flatMap((row) =>
        row.stored_size === null
          ? []
          : [[...pointsOf(row, 'size'), { at: Math.max(now - 1, row.created_at), value: row.stored_size }]],
      );
      const stored = totals(
        known,
        days.map(({ to }) => to),
      );
      const full = rows.flatMap((row) => {
        const place = placeOf.get(row.connection_id ?? 0);
        const space = spaceAt(row, place);
        const at = space && fullAt(space.free, slopePerDay(pointsOf(row, 'free')), now);
        return space && at !== null ? [{ row, place, free: space.free, at }] : [];
      });
      const [first] = full.sort((one, other) => one.at - other.at);
      const count = (...statuses: string[]) =>
        ended.reduce((sum, each) => sum + (statuses.includes(each.status) ? (each.count ?? 0) : 0), 0);
      return {
        success: true,
        as_of: isoTime(now),
        stored_bytes: known.length > 0 ? (stored.at(-1) ?? 0) : null,
        days: days.map(({ date }, n) => ({ date, stored_bytes: stored[n] ?? 0 })),
        jobs_today: { done: count('completed', 'completed_with_warnings'), failed: count('failed') },
        first_full: first
          ? {
              repository_id: first.row.id,
              name: first.row.name,
              host: first.place?.name ?? first.place?.host ?? null,
              free_bytes: first.free,
              at: isoTime(first.at),
            }
          : null,
      };
    };
    return cache.read(zone.name, make, Math.floor(now / 60_000));
  };
};
