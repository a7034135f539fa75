/** `exclusive` for what writes (create, delete, prune, compact, check), `shared` for what reads beside others. */
export type LaneMode = 'exclusive' | 'shared';

export interface LaneHolder {
  /** `job:<id>`, or `read:<random>` for a request that reads. */
  id: string;
  mode: LaneMode;
  /** In words, for those who wait: `backup job 12`. */
  what: string;
  /** Milliseconds since the epoch; a reader's place ends by itself, a job's only with its job. */
  until: number;
}

/** A lane admits a newcomer when all its holders and the newcomer share. */
export function admits(holders: readonly LaneHolder[], mode: LaneMode): boolean {
  return holders.length === 0 || (mode === 'shared' && holders.every((holder) => holder.mode === 'shared'));
}

/** No reader's place is given for as long: it was given by a clock that has been set back since. */
const longestPlace = 120_000;

/** Readers whose time ended are forgotten; jobs stay until their job says so. */
export function withoutExpiredReaders(holders: readonly LaneHolder[], now: number): LaneHolder[] {
  const lives = ({ until }: LaneHolder) => until > now && until <= now + longestPlace;
  return holders.filter((holder) => !holder.id.startsWith('read:') || lives(holder));
}
