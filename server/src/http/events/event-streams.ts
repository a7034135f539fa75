import { AppError, type Caller, type EventFilter, say } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import type { Response } from 'express';
import type { AllUseCases } from '../routers/use-cases.js';
import { EventStream } from './event-stream.js';

export const streamLimits = {
  ofUser: 10,
  ofProcess: 500,
  /** How often tokens are checked: a stream ends at most this long after its token. */
  checkEveryMs: 2_000,
} as const;

interface StreamOrder extends EventFilter {
  caller: Caller;
  res: Response;
  lastEventId: number | undefined;
  withProgress: boolean;
}

export interface EventStreams {
  /** Streams the events after `lastEventId`. Like a download, it never resolves; it can only reject. */
  send(order: StreamOrder): Promise<never>;
  /** Ends all streams and accepts no new ones. */
  stop(): void;
}

interface Parts {
  useCases: Pick<AllUseCases, 'events' | 'jobs' | 'auth' | 'hiddenFrom'>;
  log: Log;
}

export const makeEventStreams = (parts: Parts): EventStreams => new OpenStreams(parts);

/** The streams of this process. */
class OpenStreams implements EventStreams {
  readonly #open = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly parts: Parts) {}

  async send({ caller, res, lastEventId, withProgress, ...filter }: StreamOrder): Promise<never> {
    if (this.#stopped)
      throw new AppError(
        'unavailable',
        say`service_stopping: Holdfast is stopping. Connect again.`,
        retry(5),
      );
    enforceLimits(this.#open, caller);
    const { events, jobs, hiddenFrom } = this.parts.useCases;
    const progress = withProgress ? jobs : null;
    const stream = new EventStream({ events, hiddenFrom, res, caller, filter, progress });
    this.#open.add(stream);
    this.#timer ??= setInterval(() => void this.#endSignedOut(), streamLimits.checkEveryMs);
    try {
      await stream.run(lastEventId);
    } finally {
      this.#leave(stream);
    }
    return new Promise<never>(() => {});
  }

  stop(): void {
    this.#stopped = true;
    for (const stream of [...this.#open]) stream.end();
  }

  #leave(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #endSignedOut(): Promise<void> {
    const { useCases, log } = this.parts;
    try {
      const gone = await useCases.auth.findSignedOut([...this.#open].map(({ caller }) => caller));
      for (const stream of [...this.#open]) if (gone.has(stream.caller.tokenId)) stream.end();
    } catch (error) {
      log.warn('could not check the tokens of event streams', { error });
    }
  }
}

function enforceLimits(open: ReadonlySet<EventStream>, caller: Caller): void {
  const own = [...open].filter((stream) => stream.caller.userId === caller.userId).length;
  if (own >= streamLimits.ofUser) {
    throw new AppError(
      'too_many',
      say`own_event_streams_too_many: You already have ${{ count: own }} event streams. Close one first.`,
      retry(10),
    );
  }
  if (open.size >= streamLimits.ofProcess) {
    throw new AppError(
      'unavailable',
      say`event_streams_too_many: Too many event streams are open. Try again later.`,
      retry(30),
    );
  }
}

const retry = (retryAfterSeconds: number) => ({ retryAfterSeconds });
