import type { StorageBackend } from '@holdfast/plugin-api';
import { slots } from '../../backup/schedules/index.js';
import type { JobStatus } from '../../engine/jobs/index.js';
import { jobs } from '../../engine/jobs/index.js';
import type { Day, DayState } from './day.rules.js';

/** The outcome of one day according to jobs and run history. */
export interface RecordedDay {
  jobs: readonly { repositoryId: number; at: number; state: DayState }[];
  /** Schedules with a planned run that did not take place. */
  missed: readonly number[];
}

type Storage = Pick<StorageBackend, 'find' | 'aggregate'>;

export const didNotRun = ['missed', 'skipped', 'refused'] as const;

/** Then no job of a day is requested any more, by the clock of any instance. Milliseconds. */
const settledAfterMs = 3_600_000;
/** Facts of all remembered days together; some ten megabytes. */
const maxRemembered = 200_000;
const daysAtOnce = 8;

const stateOf: Record<JobStatus, DayState | 'open'> = {
  completed: 'ok',
  completed_with_warnings: 'warning',
  failed: 'failed',
  cancelled: 'none',
  pending: 'open',
  running: 'open',
};

/**
 * Reads days from the jobs and the ledgers. A day costs two grouped reads. Days of the past are remembered until the
 * ledger gets another row about them.
 */
export function recordedDays(storage: Storage) {
  const remembered = new Map<string, { day: Day; recorded: RecordedDay }>();
  let facts = 0;
  let lastSlot: number | null = null;

  const forget = (isOld: (day: Day) => boolean) => {
    for (const [key, { day, recorded }] of remembered) {
      if (!isOld(day)) continue;
      remembered.delete(key);
      facts -= recorded.jobs.length + recorded.missed.length;
    }
  };
  // After an outage, missed runs of days before are recorded.
  const forgetChanged = async () => {
    if (lastSlot === null) {
      const [newest] = await storage.find(slots, { order: [['id', 'desc']], limit: 1 });
      lastSlot = newest?.id ?? 0;
      return;
    }
    const [added] = await storage.aggregate(slots, {
      where: { id: { gt: lastSlot } },
      measures: { last: { max: 'id' }, first: { min: 'planned_at' } },
    });
    if (added?.last == null) return;
    lastSlot = added.last;
    const since = added.first ?? 0;
    forget(({ to }) => to > since);
  };
  const remember = (day: Day, recorded: RecordedDay) => {
    facts += recorded.jobs.length + recorded.missed.length;
    if (facts > maxRemembered) forget(() => true);
    remembered.set(keyOf(day), { day, recorded });
  };

  const read = async (day: Day, now: number): Promise<RecordedDay> => {
    const before = remembered.get(keyOf(day));
    if (before) return before.recorded;
    const { open, ...recorded } = await readDay(storage, day, now);
    if (!open && day.to <= now - settledAfterMs) remember(day, recorded);
    return recorded;
  };

  return async (days: readonly Day[], now: number): Promise<RecordedDay[]> => {
    await forgetChanged();
    const all: RecordedDay[] = [];
    for (let n = 0; n < days.length; n += daysAtOnce) {
      all.push(...(await Promise.all(days.slice(n, n + daysAtOnce).map((day) => read(day, now)))));
    }
    return all;
  };
}

const keyOf = ({ from, to }: Day) => `${from} ${to}`;

async function readDay(storage: Storage, { from, to }: Day, now: number) {
  const within = { gte: from, lt: to };
  const [groups, missed] = await Promise.all([
    storage.aggregate(jobs, {
      where: { kind: 'backup', requested_at: within },
      groupBy: ['repository_id', 'status'],
      measures: { last: { max: 'requested_at' } },
    }),
    storage.aggregate(slots, {
      where: { outcome: { in: didNotRun }, planned_at: within },
      groupBy: ['schedule_id'],
      measures: { count: { count: true } },
    }),
  ]);
  const known = groups.flatMap(({ repository_id, status, last }) => {
    const state = stateOf[status];
    // A run of today may still begin and end today.
    const shown = state === 'open' ? (to <= now ? 'late' : 'none') : state;
    return repository_id === null || last === null || shown === 'none'
      ? []
      : [{ repositoryId: repository_id, at: last, state: shown }];
  });
  return {
    jobs: known,
    missed: missed.map(({ schedule_id }) => schedule_id),
    open: groups.some(({ status }) => stateOf[status] === 'open'),
  };
}
