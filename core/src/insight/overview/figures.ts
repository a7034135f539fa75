import type { OverviewFigures } from '@holdfast/contracts';
import { spaceAt } from '../../backup/repositories/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { grouped, isoTime, partOf } from '../../foundation/kernel/index.js';
import { type Day, samples } from '../history/index.js';
import type { IncidentFacts } from '../incidents/incident-facts.js';
import { fullAt, type Point, slopePerDay, totals } from './growth.rules.js';
import type { OverviewNeeds } from './needs.js';

const sizes = partOf(samples, 'id', 'repository_id', 'at', 'size', 'free');

/** Sums over everything on these days, of which the last one is today. */
export async function readFigures(
  { storage }: Pick<OverviewNeeds, 'storage'>,
  { now, repositories, connections }: IncidentFacts,
  days: readonly Day[],
): Promise<OverviewFigures> {
  const from = days[0]?.from ?? 0;
  const [seen, ended] = await Promise.all([
    storage.find(sizes, { where: { at: { gte: from } }, order: [['at', 'asc']] }),
    storage.aggregate(jobs, {
      where: { completed_at: { gte: days.at(-1)?.from ?? 0 } },
      groupBy: ['status'],
      measures: { count: { count: true } },
    }),
  ]);
  const samplesOf = grouped(seen, ({ repository_id }) => repository_id);
  const pointsOf = (id: number, figure: 'size' | 'free'): Point[] =>
    (samplesOf.get(id) ?? []).flatMap(({ at, [figure]: value }) => (value === null ? [] : [{ at, value }]));
  const known = repositories.flatMap(({ row: { id, created_at: at, stored_size: value } }) =>
    value === null
      ? []
      : [[{ at, value: 0 }, ...pointsOf(id, 'size'), { at: now, value }].slice(at < from ? 1 : 0)],
  );
  const stored = totals(
    known,
    days.map(({ to }) => to),
  );
  const full = repositories.flatMap(({ row }) => {
    const place = connections.find(({ id }) => id === row.connection_id);
    const space = spaceAt(row, place);
    const at = space && fullAt(space.free, slopePerDay(pointsOf(row.id, 'free')), now);
    return space && at !== null ? [{ row, place, free: space.free, at }] : [];
  });
  const [first] = full.sort((one, other) => one.at - other.at);
  const count = (...statuses: string[]) =>
    ended.reduce((sum, each) => sum + (statuses.includes(each.status) ? (each.count ?? 0) : 0), 0);
  return {
    stored_bytes: known.length > 0 ? stored : null,
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
}
