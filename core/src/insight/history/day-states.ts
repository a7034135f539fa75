import type { StorageBackend } from '@holdfast/plugin-api';
import { archives, type RepositoryRow } from '../../backup/repositories/index.js';
import { type ScheduleRepositoryRow, type SlotRow, slots } from '../../backup/schedules/index.js';
import { grouped } from '../../foundation/kernel/index.js';
import { type Day, type DayFact, type DayState, judgeDays } from './day.rules.js';
import { didNotRun, recordedDays } from './recorded-days.js';

type Storage = Pick<StorageBackend, 'find' | 'aggregate'>;

interface DaysQuestion {
  days: readonly Day[];
  now: number;
  repositories: readonly Pick<RepositoryRow, 'id' | 'created_at' | 'freshness_hours'>[];
  /** Which repositories the schedules have now. */
  links: readonly Pick<ScheduleRepositoryRow, 'schedule_id' | 'repository_id'>[];
}

/** The states of days by the id of the repository. Remembers days of the past: make one for each process. */
export type DayStates = (question: DaysQuestion) => Promise<Map<number, DayState[]>>;

const hourMs = 3_600_000;

export function makeDayStates(storage: Storage): DayStates {
  const record = recordedDays(storage);
  const spansIn = outages(storage);
  return async ({ days, now, repositories, links }) => {
    const [recorded, spans, foreign, damaged] = await Promise.all([
      record(days, now),
      spansIn(days, now),
      foreignArchives(storage, days),
      damagedArchives(storage, days),
    ]);
    const facts = new Map<number, DayFact[]>(repositories.map(({ id }) => [id, []]));
    const add = (id: number, fact: DayFact) => facts.get(id)?.push(fact);
    const covered = grouped(links, ({ schedule_id }) => schedule_id);
    const miss = (scheduleId: number, at: number) => {
      for (const link of covered.get(scheduleId) ?? []) add(link.repository_id, { at, state: 'missed' });
    };
    for (const [n, day] of recorded.entries()) {
      for (const { repositoryId, ...fact } of day.jobs) add(repositoryId, fact);
      for (const id of day.missed) miss(id, days[n]?.from ?? 0);
    }
    for (const { scheduleId, from, to } of spans) {
      for (const day of days) if (day.to > from && day.from < to) miss(scheduleId, day.from);
    }
    for (const { repository_id, start } of foreign) add(repository_id, { at: start, state: 'ok' });
    const broken = grouped(damaged, ({ repository_id }) => repository_id);
    return new Map(
      repositories.map(({ id, created_at, freshness_hours }) => {
        const known = {
          createdAt: created_at,
          objectiveMs: freshness_hours === null ? null : freshness_hours * hourMs,
          facts: facts.get(id) ?? [],
          damaged: (broken.get(id) ?? []).map(({ start }) => start),
        };
        return [id, judgeDays(days, known, now)];
      }),
    );
  };
}

const since = (days: readonly Day[]) => ({ gte: days[0]?.from ?? 0 });

/** Those that no job of this service made. */
const foreignArchives = (storage: Storage, days: readonly Day[]) =>
  storage.aggregate(archives, {
    where: { job_id: null, start: since(days) },
    groupBy: ['repository_id', 'start'],
    measures: { count: { count: true } },
  });

const damagedArchives = (storage: Storage, days: readonly Day[]) =>
  storage.aggregate(archives, {
    where: { damaged: true, start: since(days) },
    groupBy: ['repository_id', 'start'],
    measures: { count: { count: true } },
  });

const maxOutages = 1_000;

/** Rows of the run history that cover all planned runs until the next row. */
export function outages(storage: Storage) {
  const ends = new Map<number, number>();
  return async (days: readonly Day[], now: number) => {
    const rows = await storage.find(slots, {
      where: { count: { gt: 1 }, outcome: { in: didNotRun }, planned_at: { lt: days.at(-1)?.to ?? now } },
      order: [['planned_at', 'desc']],
      limit: maxOutages,
    });
    const spans: { scheduleId: number; from: number; to: number; slot: SlotRow }[] = [];
    for (const slot of rows) {
      const { id, schedule_id, planned_at: from } = slot;
      const where = { schedule_id, planned_at: { gt: from } };
      const known = ends.get(id);
      const [next] = known
        ? []
        : await storage.find(slots, { where, order: [['planned_at', 'asc']], limit: 1 });
      if (next) ends.set(id, next.planned_at);
      const to = ends.get(id) ?? now;
      if (to > (days[0]?.from ?? 0)) spans.push({ scheduleId: schedule_id, from, to, slot });
    }
    return spans;
  };
}
