import { OneAtATime } from '../kernel/index.js';
import { type CloseJournalNeeds, closeJournal, openJournals } from './close-journals.js';

export interface HookWorker {
  start(): void;
  /**
   * Starts no more hooks, waits `graceMs` for running ones, then terminates them. The next start runs those
   * again.
   */
  stop(graceMs: number): Promise<void>;
}

const lookEveryMs = 2_000;

/** Runs hooks that remain after backups have ended. Safe with any number of instances. */
export function makeHookWorker(needs: CloseJournalNeeds, { every = lookEveryMs } = {}): HookWorker {
  const turns = new OneAtATime<'look' | number>();
  const timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  let stopped = false;

  const attempt = async (work: () => Promise<void>) => {
    try {
      if (!stopped) await work();
    } catch (error) {
      needs.log.warn('could not run remaining hooks; retrying', { error });
    }
  };
  const look = async () => {
    for (const row of await openJournals(needs)) {
      void turns.run(row.id, () => attempt(() => closeJournal(needs, row, stopping.signal)));
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
