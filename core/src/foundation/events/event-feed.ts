import type { Log, StorageBackend } from '@holdfast/plugin-api';
import { eventsBehind, type PlacedEvent, placeEvents, sequenceNow } from './event-sequence.js';

/** The events of all instances in order, for any number of readers in this process. */
export interface EventFeed {
  /** Polls for new events from now on while there are readers. Returns a function that leaves. */
  join(): () => void;
  /** The sequence number of the last committed event, and of the last one that may have been removed. */
  now(): Promise<{ head: number; removed: number }>;
  /** Events after a sequence number, in order and without gaps; empty when there are none yet. */
  read(after: number): Promise<readonly PlacedEvent[]>;
  /**
   * Resolves when there may be events after a sequence number, or at the signal. Rejects if the storage has not
   * answered for some seconds: who waits would take old knowledge for the present.
   */
  changed(after: number, signal: AbortSignal): Promise<void>;
}

interface FeedParts {
  storage: StorageBackend;
  log: Log;
  /** Calls `look` at each event of this process. Returns a function that stops this. */
  follow(poll: () => void): () => void;
  /** Interval for polling events of other instances. */
  everyMs?: number;
}

/** Events that follow each other faster are placed and read together: both cost a turn of the storage. */
const gatherMs = 50;
const pageSize = 200;
const maxRecent = 1_000;
const patienceMs = 8_000;

export const makeEventFeed = (parts: FeedParts): EventFeed => new StoredEventFeed(parts);

class StoredEventFeed implements EventFeed {
  readonly #waiting = new Set<{ after: number; wake: (error?: Error) => void }>();
  /** The latest events, without gaps. */
  #recent: PlacedEvent[] = [];
  #readers = 0;
  #polling = false;
  #again = false;
  #failing = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #answeredAt = 0;
  #stop = () => {};

  constructor(private readonly parts: FeedParts) {}

  join(): () => void {
    this.#readers += 1;
    if (this.#readers === 1) this.#begin();
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.#readers -= 1;
      if (this.#readers === 0) this.#stop();
    };
  }

  async now(): Promise<{ head: number; removed: number }> {
    await placeEvents(this.parts.storage);
    return sequenceNow(this.parts.storage);
  }

  async read(after: number): Promise<readonly PlacedEvent[]> {
    const [first] = this.#recent;
    if (!first || after < first.seq - 1) return eventsBehind(this.parts.storage, after, pageSize);
    const index = this.#recent.findIndex(({ seq }) => seq > after);
    return index < 0 ? [] : this.#recent.slice(index, index + pageSize);
  }

  changed(after: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#head > after) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const wake = (error?: Error) => {
        this.#waiting.delete(waiter);
        signal.removeEventListener('abort', onAbort);
        if (error) reject(error);
        else resolve();
      };
      const onAbort = () => wake();
      const waiter = { after, wake };
      this.#waiting.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  get #head(): number {
    return this.#recent.at(-1)?.seq ?? 0;
  }

  #begin(): void {
    const { follow, everyMs = 1_000 } = this.parts;
    this.#recent = [];
    this.#answeredAt = performance.now();
    const timer = setInterval(() => {
      this.#giveUp();
      void this.#poll();
    }, everyMs);
    const unfollow = follow(() => void this.#poll());
    this.#stop = () => {
      clearInterval(timer);
      unfollow();
      this.#recent = [];
    };
    void this.#poll();
  }

  /** Never rejects. */
  async #poll(): Promise<void> {
    this.#again = true;
    if (this.#polling) return;
    this.#polling = true;
    while (this.#again && this.#readers > 0) {
      const early = this.#readAt + gatherMs - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      this.#again = false;
      this.#readAt = performance.now();
      try {
        await this.#readNew();
        this.#failing = false;
        this.#answeredAt = performance.now();
      } catch (error) {
        if (!this.#failing) {
          this.parts.log.warn('stored events could not be read; retrying', { error });
        }
        this.#failing = true;
      }
    }
    this.#polling = false;
  }

  #giveUp(): void {
    if (performance.now() - this.#answeredAt < patienceMs) return;
    const error = new Error('The database does not respond, so new events cannot be read.');
    for (const { wake } of [...this.#waiting]) wake(error);
  }

  async #readNew(): Promise<void> {
    const { storage } = this.parts;
    await placeEvents(storage);
    if (this.#recent.length === 0) return this.#append(await lastEvents(storage));
    for (;;) {
      const rows = await eventsBehind(storage, this.#head, pageSize);
      this.#append(rows);
      if (rows.length < pageSize || this.#readers === 0) return;
    }
  }

  #append(rows: readonly PlacedEvent[]): void {
    this.#recent = [...this.#recent, ...rows].slice(-maxRecent);
    for (const waiter of [...this.#waiting]) if (waiter.after < this.#head) waiter.wake();
  }
}

/** The events that a feed starts with. Older ones are read from the storage. */
async function lastEvents(storage: StorageBackend): Promise<PlacedEvent[]> {
  const { head } = await sequenceNow(storage);
  return eventsBehind(storage, Math.max(0, head - pageSize), pageSize);
}
