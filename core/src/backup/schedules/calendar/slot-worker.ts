import { type Clock, isStoreError, type Log } from '@holdfast/plugin-api';
import { type Repeated, repeat } from '../../../foundation/kernel/index.js';
import type { CronRule } from './cron.rules.js';
import { type DueQuery, type Planned, planAgain } from './plan-again.js';

export interface SlotTimings {
  /** How often to look for due schedules without a timer. */
  scanEvery: number;
  /** How often to set timers for the near future and to tend slots. */
  tendEvery: number;
}

const slotTimings: SlotTimings = { scanEvery: 1_000, tendEvery: 30_000 };
/** Where each plan has a timer in a store that outlives this process. */
const scanWithLedger = 5_000;

/** `Row`: a backup schedule or the check schedule of a repository. */
export interface SlotWorkerParts<Row extends Planned> {
  find(query: DueQuery): Promise<Row[]>;
  clock: Clock;
  log: Log;
  /** Runs a due schedule. When several instances try, exactly one runs it. */
  fire(schedule: Row): Promise<void>;
  /**
   * Fires several at once, which is much cheaper when many are due. When it rejects, it has done nothing, and
   * each is fired alone.
   */
  fireTogether?(due: readonly Row[]): Promise<void>;
  /** Sets timers. */
  arm(schedules: readonly Row[]): void;
  /** Sets the timers of all planned rows, in place of `arm`, where the timer service has a ledger. */
  follow?: (() => Promise<void>) | undefined;
  /** Timers are set for schedules due within this time, in milliseconds. */
  horizon: number;
  ruleOf(schedule: Row): CronRule | null;
  /** Plans another next run, if the schedule is still as it was seen; resolves to the number of changed rows. */
  move(schedule: Row, next: number): Promise<number>;
  /** Other periodic work. */
  tend(): Promise<void>;
  /** For tests; the defaults are `slotTimings`. */
  timings?: Partial<SlotTimings>;
}

export interface SlotWorker {
  start(): void;
  /** Looks for due schedules at once, because a timer fired. Never rejects. */
  look(): Promise<void>;
  /** Starts no more runs and waits for pending writes. Safe to call twice. */
  stop(): Promise<void>;
}

const scanBatch = 100;
/** Other work waits for the storage while these are fired. */
const togetherAtMost = 25;

/**
 * Runs schedules when they are due. The rows are authoritative: timers only make it prompt, and a scan covers lost timers
 * and the schedules of other processes.
 */
export function makeSlotWorker<Row extends Planned>(parts: SlotWorkerParts<Row>): SlotWorker {
  const timings = { ...slotTimings, ...(parts.follow && { scanEvery: scanWithLedger }), ...parts.timings };
  const failing = new Set<number>();
  let stopped = true;
  let running: Repeated[] = [];

  const onError = (error: unknown, again: boolean) => {
    if (!again) parts.log.warn('due schedules could not be read; retrying', { error });
  };
  return {
    look: async () => running[0]?.now(),
    start() {
      stopped = false;
      const scanDue = () => scan(parts, { failing, isStopped: () => stopped });
      const replan = planAgain(parts);
      running = [
        repeat(scanDue, { everyMs: timings.scanEvery, onError }),
        repeat(() => tendSchedules(parts, replan), { everyMs: timings.tendEvery, onError }),
      ];
    },
    async stop() {
      stopped = true;
      await Promise.all(running.map(({ stop }) => stop()));
    },
  };
}

interface Scanning {
  /** Schedules that could not be fired the last time. */
  failing: Set<number>;
  isStopped(): boolean;
}

/**
 * A schedule that fails on its own is logged once and skipped; when the storage is unavailable, the scan
 * stops.
 */
async function scan<Row extends Planned>(
  { find, clock, log, fire, fireTogether }: SlotWorkerParts<Row>,
  { failing, isStopped }: Scanning,
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
        failing.delete(schedule.id);
      } catch (error) {
        if (isStoreError(error, 'unavailable')) throw error;
        passedOver += 1;
        if (failing.has(schedule.id)) continue;
        failing.add(schedule.id);
        log.error('a due schedule could not be run; retrying', { schedule: schedule.id, error });
      }
    }
    if (due.length < scanBatch) return;
  }
}

/** Fires schedules in groups. Returns those of failed groups, to be fired one by one. */
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

/** Instances start at different rows, so that they rarely conflict. */
function shuffled<T>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

async function tendSchedules<Row extends Planned>(
  { find, clock, arm, follow, horizon, tend }: SlotWorkerParts<Row>,
  replan: () => Promise<void>,
): Promise<void> {
  await replan();
  const now = clock.now();
  if (!follow) arm(await find({ where: { enabled: true, next_run: { gt: now, lte: now + horizon } } }));
  await tend();
  await follow?.();
}
