/** The limit of a connection, shared by everything that uses it. */
export interface SpeedLimit {
  /** Bytes per second at the moment, both directions together; null: unlimited. */
  rate(): number | null;
  /** Counts bytes that were transferred. Returns for how many milliseconds no more should follow. */
  spend(bytes: number): number;
}

/** One transfer over the connection. Its bytes are not touched. */
export interface Flow {
  /** Transferred so far, in both directions. */
  bytes(): number;
  /** Holds it, or lets it continue. Safe to repeat. */
  hold(isHeld: boolean): void;
}

/** A limit begins, changes and ends within this time. */
const unlimitedMs = 2000;
const longestHoldMs = 500;
/** In milliseconds: a low limit is watched more closely, so that a fast network can't exceed it by much. */
const runFor = (rate: number) => Math.min(25, Math.max(5, rate / 2e6));
/** Shorter holds are not worth their cost: what is owed is kept. */
const shortestHoldMs = 20;

/** Holds a transfer whenever it is ahead of the limit. Returns a function that ends this and lets it continue. */
export function keepWithin(speed: SpeedLimit, flow: Flow): () => void {
  let seen = flow.bytes();
  let isHeld = false;
  const hold = (next: boolean) => {
    if (next || isHeld) flow.hold(next);
    isHeld = next;
  };
  const look = (): NodeJS.Timeout => {
    const bytes = flow.bytes();
    const rate = speed.rate();
    const wait = rate === null ? 0 : speed.spend(bytes - seen);
    seen = bytes;
    hold(wait > (isHeld ? 0 : shortestHoldMs));
    const next = rate === null ? unlimitedMs : isHeld ? Math.min(wait, longestHoldMs) : runFor(rate);
    return setTimeout(again, next).unref();
  };
  const again = () => {
    timer = look();
  };
  let timer = look();
  return () => {
    clearTimeout(timer);
    hold(false);
  };
}
