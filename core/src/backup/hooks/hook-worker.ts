import { OneAtATime, type Repeated, repeat } from '../../foundation/kernel/index.js';
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
  const turns = new OneAtATime<number>();
  const stopping = new AbortController();
  let looking: Repeated | undefined;
  let stopped = false;

  const onError = (error: unknown) => needs.log.warn('could not run remaining hooks; retrying', { error });
  const look = async () => {
    for (const row of await openJournals(needs)) {
      void turns.run(row.id, async () => {
        if (!stopped) await closeJournal(needs, row, stopping.signal).catch(onError);
      });
    }
  };
  return {
    start() {
      looking = repeat(look, { everyMs: every, onError });
    },
    async stop(graceMs) {
      stopped = true;
      const late = setTimeout(() => stopping.abort(), graceMs);
      await looking?.stop();
      await turns.idle();
      clearTimeout(late);
    },
  };
}
