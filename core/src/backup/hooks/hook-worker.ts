import { OneAtATime, type Pace, paces, type Repeated, repeat } from '../../foundation/kernel/index.js';
import { type CloseJournalNeeds, closeJournal, openJournals } from './close-journals.js';

export interface HookWorker {
  start(): void;
  /**
   * Starts no more hooks, waits `graceMs` for running ones, then terminates them. The next start runs those
   * again.
   */
  stop(graceMs: number): Promise<void>;
}

/** Runs hooks that remain after backups have ended. Safe with any number of instances. */
export function makeHookWorker(needs: CloseJournalNeeds, { hooks, jobs }: Pace = paces.usual): HookWorker {
  const turns = new OneAtATime<number>();
  const stopping = new AbortController();
  let looking: Repeated | undefined;
  let stopped = false;

  const onError = (error: unknown) => needs.log.warn('could not run remaining hooks; retrying', { error });
  const look = async () => {
    for (const row of await openJournals(needs, jobs)) {
      void turns.run(row.id, async () => {
        if (!stopped) await closeJournal(needs, row, { stop: stopping.signal, times: jobs }).catch(onError);
      });
    }
  };
  return {
    start() {
      looking = repeat(look, { everyMs: hooks.lookEvery, onError });
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
