import { type Repeated, repeat } from '../../foundation/kernel/index.js';
import type { HousekeepingNeeds } from './needs.js';
import { type RuleName, rules, takeRule } from './rules.js';
import type { Sweep } from './sweep.js';
import { defaultRetention, type Retention } from './sweep.js';
import { housekeeping } from './tables.js';

export interface HousekeepingWorker {
  start(): void;
  /** Runs each rule that is due, unless another process has taken it. Never rejects. */
  round(): Promise<void>;
  /** Starts nothing more, and waits for the running batch. */
  stop(): Promise<void>;
}

const everyMs = 10 * 60_000;
/** How often this process checks for due rules, and how long a turn may last. */
const lookEveryMs = 60_000;
const longestTurnMs = everyMs / 2;

/**
 * Removes old rows in small batches. Of any number of instances, one does it at a time; `sweepMachine` removes what is
 * on this machine, so each instance calls it.
 */
export function makeHousekeepingWorker(
  needs: HousekeepingNeeds & Partial<Pick<Sweep, 'sweepAudit'>> & { sweepMachine?(): Promise<void> },
  retention: Partial<Retention> = {},
): HousekeepingWorker {
  const { storage, clock, log, sweepAudit = async () => {}, sweepMachine = async () => {} } = needs;
  const limits = { ...defaultRetention, ...retention };
  let stopped = false;
  let rounds: Repeated | undefined;

  const turn = async (rule: RuleName) => {
    const row = await takeRule(storage, { rule, now: clock.now(), every: everyMs });
    if (!row) return;
    const end = performance.now() + longestTurnMs;
    const going = () => !stopped && performance.now() < end;
    const place = await rules[rule]({
      storage,
      clock,
      retention: limits,
      place: row.place,
      going,
      sweepAudit,
    });
    if (place !== undefined) await storage.update(housekeeping, { id: row.id }, { place });
  };
  const round = async () => {
    await sweepMachine().catch((error: unknown) => log.warn('could not remove leftover folders', { error }));
    for (const rule of Object.keys(rules) as RuleName[]) {
      if (stopped) return;
      await turn(rule).catch((error: unknown) => log.warn(`could not remove ${rule}`, { error }));
    }
  };
  return {
    round,
    start() {
      stopped = false;
      rounds = repeat(round, { everyMs: lookEveryMs, onError: () => {} });
    },
    async stop() {
      stopped = true;
      await rounds?.stop();
    },
  };
}
