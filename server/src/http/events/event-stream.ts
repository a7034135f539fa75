import { once } from 'node:events';
import {
  type Caller,
  type EventFilter,
  type JobRow,
  type PlacedEvent,
  shownRow,
} from '@holdfast/core/server';
import type { Response } from 'express';
import type { AllUseCases, UseCases } from '../routers/use-cases.js';
import {
  eventLines,
  heartbeatLines,
  progressLines,
  readyLines,
  resetLines,
  retryLine,
} from './event-lines.js';
import { writtenOnce } from './written-once.js';

const heartbeatEveryMs = 15_000;
/** Idle timeout for slow readers. They can resume after their last event. */
const patienceMs = 30_000;

interface StreamParts {
  events: UseCases['events'];
  hiddenFrom: AllUseCases['hiddenFrom'];
  res: Response;
  caller: Caller;
  filter: EventFilter;
  /** Null without `progress=1`. */
  progress: Pick<UseCases['jobs'], 'progress' | 'progressView'> | null;
  /** For tests. */
  patienceMs?: number;
}

/** One client that follows the events. It gets the next page when it has received the previous one. */
export class EventStream {
  readonly #ending = new AbortController();
  #place = 0;

  constructor(private readonly parts: StreamParts) {
    parts.res.once('close', () => this.end());
  }

  get caller(): Caller {
    return this.parts.caller;
  }

  end(): void {
    this.#ending.abort();
  }

  /** Resolves when the stream has ended. Rejects only before the first byte. */
  async run(lastEventId: number | undefined): Promise<void> {
    const { events, res } = this.parts;
    const leave = events.feed.join();
    try {
      const first = await this.#begin(lastEventId);
      this.#sendHead();
      if (res.req.method !== 'HEAD' && !this.#ended) {
        res.write(retryLine + first);
        await this.#follow();
      }
      res.end();
    } finally {
      leave();
    }
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted || this.parts.res.destroyed;
  }

  async #begin(lastEventId: number | undefined): Promise<string> {
    const { head, removed } = await this.parts.events.feed.now();
    const lost = lastEventId !== undefined && (lastEventId < removed || lastEventId > head);
    this.#place = lost ? head : (lastEventId ?? head);
    return lost ? resetLines(head) : readyLines(this.#place);
  }

  #sendHead(): void {
    const { res } = this.parts;
    res.status(200);
    res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store');
    // Buffering proxies would delay events.
    res.setHeader('X-Accel-Buffering', 'no');
    // Close the connection with the stream: an idle connection would delay the shutdown.
    res.setHeader('Connection', 'close');
    res.flushHeaders();
  }

  async #follow(): Promise<void> {
    const beat = setInterval(() => this.#sendAside(heartbeatLines(this.#place)), heartbeatEveryMs);
    const leave = this.parts.progress?.progress.follow((jobs) => void this.#sendProgress(jobs));
    try {
      while (!this.#ended) await this.#sendNext();
    } catch (error) {
      // The client reconnects, possibly to another instance.
      if (!this.#ended) this.parts.res.destroy(error instanceof Error ? error : undefined);
    } finally {
      clearInterval(beat);
      leave?.();
    }
  }

  async #sendProgress(jobs: readonly JobRow[]): Promise<void> {
    const { filter, progress, hiddenFrom, caller } = this.parts;
    // The next figures follow within a second.
    const hidden = await hiddenFrom(caller).catch(() => null);
    if (!progress || !hidden) return;
    const ofFilter = ({ repository_id: id }: JobRow) =>
      filter.repositoryId === undefined || id === filter.repositoryId;
    const text = jobs
      .filter(ofFilter)
      .map((job) => shownRow({ name: 'job' }, job, hidden))
      .filter((job) => job !== null)
      .map((job) => writtenOnce(job, () => progressLines(progress.progressView(job))))
      .join('');
    if (text !== '') this.#sendAside(text);
  }

  /** Sends a message that a slow reader may miss. */
  #sendAside(text: string): void {
    if (!this.parts.res.writableNeedDrain && !this.#ended) this.parts.res.write(text);
  }

  async #sendNext(): Promise<void> {
    const { events, res, filter, hiddenFrom, caller } = this.parts;
    const rows = await events.feed.read(this.#place);
    const hidden = await hiddenFrom(caller);
    if (this.#ended) return;
    const last = rows.at(-1);
    if (last === undefined) return events.feed.changed(this.#place, this.#ending.signal);
    const text = rows
      .filter((row) => events.matches(filter, row))
      .map((row) => shownRow({ name: 'event' }, row, hidden))
      .filter((row) => row !== null)
      .map((row) => this.#textOf(row))
      .join('');
    const taken = text === '' || res.write(text);
    this.#place = last.seq;
    if (!taken) await this.#drained();
  }

  #textOf(row: PlacedEvent): string {
    return writtenOnce(row, () => eventLines(this.parts.events.view(row)));
  }

  async #drained(): Promise<void> {
    const { res } = this.parts;
    const over = setTimeout(() => res.destroy(), this.parts.patienceMs ?? patienceMs);
    await once(res, 'drain', { signal: this.#ending.signal }).catch(() => res.destroy());
    clearTimeout(over);
  }
}
