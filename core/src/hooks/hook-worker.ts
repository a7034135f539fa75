import { OneAtATime } from '../kernel/index.js';
import { type BracketNeeds, closeBracket, openJournals } from './close-brackets.js';

export interface HookWorker {
  start(): void;
  /**
   * Begins nothing any more, gives running hooks `graceMs`, then ends them: the next start runs them again.
   */
  stop(graceMs: number): Promise<void>;
}

const lookEveryMs = 2_000;

/** Looks for hooks that are still owed after backups ended, beside any number of other instances. */
export function makeHookWorker(needs: BracketNeeds, { every = lookEveryMs } = {}): HookWorker {
  const turns = new OneAtATime<'look' | number>();
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
      const turn = () => void turns.run('look', () => attempt(look));
      timers.push(setInterval(turn, every));
      turn();
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
