import type { ArchiveDays } from '@holdfast/contracts';
import { DateTime } from 'luxon';
import { invalid, isoTime, say } from '../../foundation/kernel/index.js';
import { addedSize, findRepository } from '../repositories/index.js';
import { archives } from '../repositories/tables.js';
import type { ArchivesNeeds } from './needs.js';

/** Dates, or times with a zone. Dates are days in the time zone of the service. */
export interface Period {
  since?: string | undefined;
  until?: string | undefined;
}

const instantOf = (text: string, days: number): number =>
  DateTime.fromISO(text)
    .plus({ days: text.includes('T') ? 0 : days })
    .toMillis();

/** From an instant to before the other one, in milliseconds. Throws AppError `invalid`. */
export function rangeOf({ since, until }: Period): { from: number | undefined; to: number | undefined } {
  const from = since === undefined ? undefined : instantOf(since, 0);
  const to = until === undefined ? undefined : instantOf(until, 1);
  if (from !== undefined && to !== undefined && from >= to)
    throw invalid(say`since_after_until: since must be earlier than until.`);
  return { from, to };
}

/**
 * Archives and their bytes by day, in the time zone of the service. Asks no tool. Throws AppError `not_found` for the
 * repository, and `invalid` for the time.
 */
export async function countArchives(
  { storage, clock }: Pick<ArchivesNeeds, 'storage' | 'clock'>,
  repositoryId: number,
  { year, ...period }: Period & { year?: number | undefined },
): Promise<ArchiveDays> {
  const { from, to } = yearOf(year, period, clock.now());
  const { id, inventory_at } = await findRepository(storage, { repository_id: repositoryId });
  const rows = await storage.find(archives, {
    where: { repository_id: id, start: { gte: from, lt: to } },
    order: [['start', 'asc']],
  });
  const days = new Map<string, ArchiveDays['days'][number]>();
  for (const row of rows) {
    const day = DateTime.fromMillis(row.start).toISODate() ?? '';
    const { archives: count, original_bytes, added_bytes } = days.get(day) ?? none;
    days.set(day, {
      day,
      archives: count + 1,
      original_bytes: sum(original_bytes, row.original_size),
      added_bytes: sum(added_bytes, addedSize(row)),
    });
  }
  return {
    success: true,
    repository_id: id,
    timezone: DateTime.local().zoneName,
    as_of: isoTime(inventory_at),
    archives: rows.length,
    days: [...days.values()],
  };
}

const none = { archives: 0, original_bytes: null, added_bytes: null };

const sum = (all: number | null, one: number | null): number | null =>
  one === null ? all : (all ?? 0) + one;

function yearOf(year: number | undefined, period: Period, now: number): { from: number; to: number } {
  const given = rangeOf(period);
  if (year !== undefined) {
    if (period.since !== undefined || period.until !== undefined)
      throw invalid(say`year_and_period: Give either year, or since and until.`);
    const start = DateTime.local(year);
    return { from: start.toMillis(), to: start.plus({ years: 1 }).toMillis() };
  }
  const to = given.to ?? DateTime.fromMillis(now).startOf('day').plus({ days: 1 }).toMillis();
  return { from: given.from ?? DateTime.fromMillis(to).minus({ years: 1 }).toMillis(), to };
}
