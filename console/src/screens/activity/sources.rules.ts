import type { Schemas } from '../../api/client.js';

export type JobSource = NonNullable<Schemas['JobView']['about']['sources']>[number];

/** How far a job came with a source. `held`: the job has ended, and something may still be stopped. */
export function phaseOf(source: JobSource, isEnded: boolean) {
  const { error_message, prepared_at, released_at } = source;
  if (error_message !== null) return 'failed';
  if (prepared_at === null) return isEnded ? 'cancelled' : 'preparing';
  if (released_at !== null) return 'released';
  return isEnded ? 'held' : 'inUse';
}

/** Seconds from one instant to another. */
export const secondsBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / 1000;
