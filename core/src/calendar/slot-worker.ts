import { type Clock, isStoreError, type Log } from '@holdfast/plugin-api';
import { OneAtATime } from '../kernel/index.js';

export interface SlotTimings {
  /** How often due schedules are looked for without a timer. */
  scanEvery: number;
  /** How often the timers of the near future are set, and slots are looked after. */
  tendEvery: number;
}

const slotTimings: SlotTimings = { scanEvery: 1_000, tendEvery: 30_000 };

/** Which rows are asked for: those that are switched on and planned for some time. */
export interface DueQuery {
  where: { enabled: true; next_run: { gt?: number; lte: number } };
  order?: readonly [readonly ['next_run', 'asc']];
  limit?: number;
  offset?: number;
}

interface Planned {
  id: number;
  next_run: number | null;
}

/** One timer for each instant is enough: whoever hears it looks for all that is due. */
export function firstOfInstants<Row extends Pick<Planned, 'next_run'>>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.next_run, row])).values()];
}

/** `Row`: a schedule of backups, or that of a repository's checks. */
export interface SlotWorkerParts<Row extends Planned> {
  find(query: DueQuery): Promise<Row[]>;
  clock: Clock;
  log: Log;
  /** Does what is due of a schedule; exactly one of all that try does it. */
  fire(schedule: Row): Promise<void>;
  /**
   * The same for several in one go, which is much cheaper when very many are due; or rejects without having done
   * anything, and each is fired alone.
   */
  fireTogether?(due: readonly Row[]): Promise<void>;
  /** Sets the timer of a schedule; one of the far future may be left out. */
  arm(schedule: Row): void;
  /** Timers are set for what is due within this time. */
  horizon: number;
  /** What else is to be done now and then. */
  tend(): Promise<void>;
  /** For tests; the defaults are `slotTimings`. */
  timings?: Partial<SlotTimings>;
}

export interface SlotWorker {
  start(): void;
  /** Looks for due schedules at once: a timer fired. Never rejects. */
  look(): Promise<void>;
  /** Begins no run any more; waits for what is being written. May be called twice. */
  stop(): Promise<void>;
}

const scanBatch = 100;
/** Others wait for the storage while these are fired. */
const togetherAtMost = 25;

/**
 * Runs schedules when they are due. The rows say what is due: timers only make it prompt, and a look each second
 * covers lost timers and the schedules of other processes.
 */
export function makeSlotWorker<Row extends Planned>(parts: SlotWorkerParts<Row>): SlotWorker {
  const timings = { ...slotTimings, ...parts.timings };
  const turns = new OneAtATime<'scan' | 'tend'>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = true;
  let away = false;
  const troubled = new Set<number>();

  const attempt = async (work: () => Promise<void>) => {
    try {
      if (!stopped) await work();
      away = false;
    } catch (error) {
      if (!away) parts.log.warn('the schedules could not be looked through; trying again', { error });
      away = true;
    }
  };
  const look = () =>
    turns.run('scan', () => attempt(() => scan(parts, { troubled, isStopped: () => stopped })));
  const tend = () => turns.run('tend', () => attempt(() => tendSchedules(parts)));
  const repeat = (work: () => Promise<void>, ms: number) => {
    timers.add(setInterval(() => void work(), ms));
    void work();
  };

  return {
    look,
    start() {
      stopped = false;
      repeat(look, timings.scanEvery);
      repeat(tend, timings.tendEvery);
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await turns.idle();
    },
  };
}

interface Scanning {
  /** Schedules that could not be fired the last time. */
  troubled: Set<number>;
  isStopped(): boolean;
}

/** What can't be fired for a reason of its own is logged once and passed over; without the storage all stops. */
async function scan<Row extends Planned>(
  { find, clock, log, fire, fireTogether }: SlotWorkerParts<Row>,
  { troubled, isStopped }: Scanning,
): Promise<void> {
  const now = clock.now();
  let passedOver = 0;
  for (;;) {
    const due = await find({
      where: { enabled: true, next_run: { lte: now } },
      order: [['next_run', 'asc']],
      limit: scanBatch,
      offset: passedOver,
    });
    for (const schedule of await firedAlone(shuffled(due), { fireTogether, isStopped })) {
      if (isStopped()) return;
      try {
        await fire(schedule);
        troubled.delete(schedule.id);
      } catch (error) {
        if (isStoreError(error, 'unavailable')) throw error;
        passedOver += 1;
        if (troubled.has(schedule.id)) continue;
        troubled.add(schedule.id);
        log.error('a due schedule could not be run; trying again', { schedule: schedule.id, error });
      }
    }
    if (due.length < scanBatch) return;
  }
}

/** Fires them group by group; those of a group that could not be fired are left, to be fired one by one. */
async function firedAlone<T>(
  due: readonly T[],
  { fireTogether, isStopped }: { fireTogether?(group: T[]): Promise<void>; isStopped(): boolean },
): Promise<T[]> {
  if (!fireTogether || due.length === 1) return [...due];
  const left: T[] = [];
  for (let from = 0; from < due.length && !isStopped(); from += togetherAtMost) {
    const group = due.slice(from, from + togetherAtMost);
    try {
      await fireTogether(group);
    } catch (error) {
      if (isStoreError(error, 'unavailable')) throw error;
      left.push(...group);
    }
  }
  return left;
}

/** Several instances begin at different rows, so that they seldom meet. */
function shuffled<T>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

async function tendSchedules<Row extends Planned>(parts: SlotWorkerParts<Row>): Promise<void> {
  const { find, clock, arm, horizon, tend } = parts;
  const now = clock.now();
  const soon = await find({ where: { enabled: true, next_run: { gt: now, lte: now + horizon } } });
  for (const schedule of firstOfInstants(soon)) arm(schedule);
  await tend();
}
