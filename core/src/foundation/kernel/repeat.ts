import { OneAtATime } from './one-at-a-time.js';

export interface Repeated {
  /** Runs the work now, or once more when it is running. Never rejects. */
  now(): Promise<void>;
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  everyMs: number;
  /** `again`: the run before failed, too. */
  onError(error: unknown, again: boolean): void;
  /** Wait before the first run. Default: false. */
  later?: boolean;
}

/** Runs work in the background at intervals, one run at a time, until it is stopped. The process may end meanwhile. */
export function repeat(
  work: () => Promise<unknown>,
  { everyMs, onError, later = false }: RepeatOptions,
): Repeated {
  const turns = new OneAtATime<'work'>();
  let stopped = false;
  let failed = false;
  const run = async () => {
    if (stopped) return;
    try {
      await work();
      failed = false;
    } catch (error) {
      onError(error, failed);
      failed = true;
    }
  };
  const now = () => turns.run('work', run);
  const timer = setInterval(() => void now(), everyMs).unref();
  if (!later) void now();
  return {
    now,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await turns.idle();
    },
  };
}
