import { type Repeated, repeat } from '../../foundation/kernel/index.js';
import type { JobsNeeds } from './needs.js';
import { type JobRow, jobs } from './tables.js';

type Listener = (running: readonly JobRow[]) => void;

/** The progress of running jobs of all instances, for any number of listeners in this process. */
export interface ProgressFeed {
  /**
   * Calls the listener with all running jobs within a second, then at most once a second with those that got on.
   * Returns a function that stops this.
   */
  follow(listener: Listener): () => void;
}

/** As often as a run writes its figures. */
const everyMs = 1_000;
/** More than the jobs that all instances run at once. */
const maxJobs = 1_000;

/** Reads only while somebody listens. */
export function makeProgressFeed({ storage, log }: Pick<JobsNeeds, 'storage' | 'log'>): ProgressFeed {
  const listeners = new Map<Listener, { isNew: boolean }>();
  let seen = new Map<number, string>();
  let reading: Repeated | undefined;

  async function read(): Promise<void> {
    const rows = await storage.find(jobs, { where: { status: 'running' }, limit: maxJobs });
    const now = new Map(rows.map(({ id, progress }) => [id, JSON.stringify(progress)]));
    const changed = rows.filter(({ id }) => seen.get(id) !== now.get(id));
    seen = now;
    for (const [listener, state] of listeners) {
      const news = state.isNew ? rows : changed;
      state.isNew = false;
      if (news.length > 0) listener(news);
    }
  }

  const onError = (error: unknown, again: boolean) => {
    if (!again) log.warn('the progress of jobs could not be read; retrying', { error });
  };

  return {
    follow(listener) {
      listeners.set(listener, { isNew: true });
      reading ??= repeat(read, { everyMs, onError, later: true });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        void reading?.stop();
        reading = undefined;
      };
    },
  };
}
