import { isStoreError } from '@holdfast/plugin-api';
import { type Pace, paces, type Repeated, repeat } from '../../../foundation/kernel/index.js';
import { fireSlots } from './fire-slots.js';
import { planAgain } from './plan-again.js';
import type { PlanKind, SlotNeeds } from './plan-kind.js';
import { timerHorizon } from './slot-timers.js';
import type { PlanRow } from './tables.js';

export interface SlotWorker {
  start(): void;
  /** Looks for due plans and runs that wait at once. Never rejects. */
  look(): Promise<void>;
  /** Looks for due plans of the kind whose timer fired. Ignores other timers. */
  onTimer(key: string): void;
  /** Starts no more runs and waits for pending writes. Safe to call twice. */
  stop(): Promise<void>;
}

const scanBatch = 100;
/** Other work waits for the storage while these are fired. */
const togetherAtMost = 25;

/**
 * Runs plans of all kinds when they are due. Safe with any number of instances on the same storage. The rows are
 * authoritative: timers only make it prompt, and a scan covers lost timers and the plans of other processes.
 */
export function makeSlotWorker(
  needs: SlotNeeds,
  kinds: readonly PlanKind[],
  given: Partial<Pace['plans']> = {},
): SlotWorker {
  const { log, timers } = needs;
  const timings = { ...paces.usual.plans, ...given };
  const scanEvery = timers.ledger ? timings.scanWithLedger : timings.scanEvery;
  let stopped = true;
  let running: { kind: PlanKind; scans: Repeated; tends: Repeated; waits: Repeated | undefined }[] = [];

  const onError = (error: unknown, again: boolean) => {
    if (!again) log.warn('due schedules could not be read; retrying', { error });
  };
  const onWaitError = (error: unknown, again: boolean) => {
    // The other loop says it already.
    if (again || isStoreError(error, 'unavailable')) return;
    log.warn('runs that wait could not be looked at; retrying', { error });
  };
  return {
    start() {
      stopped = false;
      running = kinds.map((kind) => {
        const scanning = { failing: new Set<number>(), isStopped: () => stopped };
        const tends = repeat(tending(needs, kind), { everyMs: timings.tendEvery, onError });
        const waits =
          kind.waiting &&
          repeat(kind.waiting(needs, timings.steady), { everyMs: timings.waitEvery, onError: onWaitError });
        const work = async () => {
          if (await scan(needs, kind, scanning)) await waits?.now();
        };
        const scans = repeat(work, { everyMs: scanEvery, onError });
        return { kind, scans, tends, waits };
      });
    },
    look: async () => {
      await Promise.all(running.map(({ scans }) => scans.now()));
      await Promise.all(running.map(({ waits }) => waits?.now()));
    },
    onTimer(key) {
      for (const { kind, scans } of running) if (kind.timers.isOwn(key)) void scans.now();
    },
    async stop() {
      stopped = true;
      await Promise.all(
        running.flatMap(({ scans, tends, waits }) => [scans.stop(), tends.stop(), waits?.stop()]),
      );
    },
  };
}

interface Scanning {
  /** Plans that could not be fired the last time. */
  failing: Set<number>;
  isStopped(): boolean;
}

/**
 * Fires what is due in groups, and the plans of a group that failed one by one. A plan that fails on its own is logged
 * once and passed over; when the storage is unavailable, the scan stops. Resolves to whether anything was due.
 */
async function scan(needs: SlotNeeds, kind: PlanKind, { failing, isStopped }: Scanning): Promise<boolean> {
  const now = needs.clock.now();
  let [passedOver, any] = [0, false];
  const fire = async (group: readonly PlanRow[]): Promise<void> => {
    if (isStopped()) return;
    try {
      await fireSlots(needs, kind, group);
      for (const { id } of group) failing.delete(id);
    } catch (error) {
      if (isStoreError(error, 'unavailable')) throw error;
      if (group.length > 1) {
        for (const each of group) await fire([each]);
        return;
      }
      passedOver += 1;
      const schedule = group[0]?.id ?? 0;
      if (!failing.has(schedule))
        needs.log.error('a due schedule could not be run; retrying', { schedule, error });
      failing.add(schedule);
    }
  };
  for (;;) {
    const due = await needs.storage.find(kind.table, {
      where: { enabled: true, next_run: { lte: now } },
      order: [['next_run', 'asc']],
      limit: scanBatch,
      offset: passedOver,
    });
    any ||= due.length > 0;
    const rows = shuffled(due);
    for (let at = 0; at < rows.length; at += togetherAtMost) await fire(rows.slice(at, at + togetherAtMost));
    if (due.length < scanBatch || isStopped()) return any;
  }
}

/** Instances start at different rows, so that they rarely conflict. */
function shuffled<T>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

function tending(needs: SlotNeeds, kind: PlanKind): () => Promise<void> {
  const { storage, clock } = needs;
  const replan = planAgain(needs, kind);
  const follow = kind.timers.follower(needs);
  return async () => {
    await replan();
    const now = clock.now();
    const soon = { enabled: true, next_run: { gt: now, lte: now + timerHorizon } };
    if (!follow) kind.timers.set(needs, ...(await storage.find(kind.table, { where: soon })));
    await kind.tend?.(needs);
    await follow?.();
  };
}
