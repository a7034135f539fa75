import { AppError, type Caller, type EventFilter } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import type { Response } from 'express';
import type { UseCases } from '../use-cases.js';
import { EventStream } from './event-stream.js';

export const streamLimits = {
  ofUser: 10,
  ofProcess: 500,
  /** How soon a stream ends after its token. */
  checkEveryMs: 2_000,
} as const;

export interface StreamOrder extends EventFilter {
  caller: Caller;
  res: Response;
  lastEventId: number | undefined;
}

export interface EventStreams {
  /** Answers with the events from there on. Settles only when it rejects, as a download does. */
  send(order: StreamOrder): Promise<never>;
  /** Ends every stream, and takes no new one. */
  stop(): void;
}

interface Parts {
  useCases: Pick<UseCases, 'events' | 'auth'>;
  log: Log;
}

export const makeEventStreams = (parts: Parts): EventStreams => new OpenStreams(parts);

/** The streams of this process. */
class OpenStreams implements EventStreams {
  readonly #open = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly parts: Parts) {}

  async send({ caller, res, lastEventId, ...filter }: StreamOrder): Promise<never> {
    if (this.#stopped) throw new AppError('unavailable', 'The service stops: connect again.', retry(5));
    refuseTooMany(this.#open, caller);
    const stream = new EventStream({ events: this.parts.useCases.events, res, caller, filter });
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
      log.warn('it could not be checked who may still follow events', { error });
    }
  }
}

function refuseTooMany(open: ReadonlySet<EventStream>, caller: Caller): void {
  const own = [...open].filter((stream) => stream.caller.userId === caller.userId).length;
  if (own >= streamLimits.ofUser) {
    throw new AppError(
      'too_many',
      `You follow events ${own} times already: close a stream first.`,
      retry(10),
    );
  }
  if (open.size >= streamLimits.ofProcess) {
    throw new AppError('unavailable', 'Too many clients follow events now: try again later.', retry(30));
  }
}

const retry = (retryAfterSeconds: number) => ({ retryAfterSeconds });
