import { OneAtATime } from '../../../runtime/one-at-a-time.js';
import { type BracketNeeds, closeBracket, forgetClosedJournals, openJournals } from './close-brackets.js';

export interface HookTender {
  start(): void;
  /**
   * Begins nothing any more, gives running hooks `graceMs`, then ends them: the next start runs them again.
   */
  stop(graceMs: number): Promise<void>;
}

const lookEveryMs = 2_000;
const forgetEveryMs = 3_600_000;

/** Looks for hooks that are still owed after backups ended, beside any number of other instances. */
export function makeHookTender(needs: BracketNeeds, { every = lookEveryMs } = {}): HookTender {
  const turns = new OneAtATime<'look' | 'forget' | number>();
  const timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  let stopped = false;

  const attempt = async (work: () => Promise<void>) => {
    try {
      if (!stopped) await work();
    } catch (error) {
      needs.log.warn('hooks that are owed could not be run; trying again', { error });
    }
  };
  const look = async () => {
    for (const row of await openJournals(needs)) {
      void turns.run(row.id, () => attempt(() => closeBracket(needs, row, stopping.signal)));
    }
  };
  return {
    start() {
      const repeat = (key: 'look' | 'forget', work: () => Promise<void>, ms: number) => {
        const turn = () => void turns.run(key, () => attempt(work));
        timers.push(setInterval(turn, ms));
        turn();
      };
      repeat('look', look, every);
      repeat('forget', () => forgetClosedJournals(needs), forgetEveryMs);
    },
    async stop(graceMs) {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      const late = setTimeout(() => stopping.abort(), graceMs);
      await turns.idle();
      clearTimeout(late);
    },
  };
}
