import type { HoldfastClient } from './client.js';
import { errorOf, HoldfastError } from './errors.js';
import { pause, withJitter } from './pause.js';
import type { Schemas } from './schemas.js';
import { eventStream } from './sending.js';
import { makeEventParser, type SentEvent } from './sent-events.js';

/** Events, described in docs/developers/api.md. Ignore unknown kinds: later servers may send more. */
export type EventKind =
  | 'backup_start'
  | 'backup_success'
  | 'backup_warning'
  | 'backup_failure'
  | 'restore_success'
  | 'restore_failure'
  | 'check_success'
  | 'check_failure'
  | 'schedule_failure'
  | 'repository_created'
  | 'repository_updated'
  | 'repository_deleted'
  | 'archives_changed'
  | 'retention_paused'
  | 'job_queued'
  | 'job_started'
  | 'job_ended'
  | 'schedule_changed'
  | 'connection_changed'
  | 'delivery_parked'
  | 'protection_changed'
  | 'incident_opened'
  | 'incident_closed'
  | 'backup_late'
  | 'backup_on_time_again'
  | 'damaged'
  | 'damage_over'
  | 'retention_resumed'
  | 'incident'
  | 'incident_over'
  | 'report_weekly';

/** The `data` of an event that the server keeps. */
export interface StoredEvent {
  id: number;
  kind: EventKind;
  /** ISO 8601, UTC. */
  at: string;
  repository_id: number | null;
  job_id: number | null;
  data: Record<string, unknown>;
}

/** The `data` of `job_progress`. */
export interface JobProgress
  extends Pick<
    Schemas['JobView'],
    'kind' | 'repository_id' | 'schedule_id' | 'progress' | 'progress_details'
  > {
  job_id: number;
  progress_message: string | null;
}

/** Where a stream starts. */
export interface StreamPlace {
  last_event_id: number;
  reason?: string;
}

/** `id` is that of the last stored event, for `lastEventId`. */
export type HoldfastEvent =
  | { id: number | undefined; event: EventKind; data: StoredEvent }
  | { id: number | undefined; event: 'job_progress'; data: JobProgress }
  /** First in each connection. `reset`: events were missed, read everything again. */
  | { id: number | undefined; event: 'ready' | 'reset'; data: StreamPlace };

/** `lost` until the next attempt, which is `connecting`. */
export type StreamState = 'connecting' | 'open' | 'lost';

export interface FollowOptions {
  /** Continue after this event; without it, from now. */
  lastEventId?: number;
  /** Only these; `job_progress` has a switch of its own. */
  kinds?: readonly EventKind[];
  repositoryId?: number;
  /** Also `job_progress`. */
  progress?: boolean;
  /** Ends the generator, without an error. */
  signal?: AbortSignal;
  /** `heardAt`: when the server last said something; milliseconds since 1970. */
  onState?: (state: StreamState, heardAt: number) => void;
}

/** Seconds. The server sends something every 15 s. */
const longestSilence = 20;
const longestPause = 30;

/**
 * The events of the service, without gaps: a connection that ends, breaks or says nothing for 20 s is replaced by one
 * that continues after the last event.
 * @throws HoldfastError if the server refuses the stream, for example because the user is no longer signed in
 */
export async function* followEvents(
  client: Pick<HoldfastClient, 'baseUrl' | 'send'>,
  options: FollowOptions = {},
): AsyncGenerator<HoldfastEvent, void, undefined> {
  const { signal } = options;
  const contact = { heardAt: Date.now() };
  const onState = (state: StreamState) => options.onState?.(state, contact.heardAt);
  let place = options.lastEventId;
  let retry = 2;
  let failures = 0;
  while (!signal?.aborted) {
    let wait = 0;
    onState('connecting');
    try {
      const line: Line = {
        open: (ending) => client.send(requestOf(client.baseUrl, { ...options, lastEventId: place }, ending)),
        onOpen: () => onState('open'),
        contact,
        signal,
      };
      for await (const sent of connection(line)) {
        failures = 0;
        place = idOf(sent) ?? place;
        if (sent.retry !== undefined) retry = sent.retry / 1000;
        if (sent.data !== undefined) yield eventOf(sent, place);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      wait = error.retryAfter ?? 0;
    }
    if (signal?.aborted) return;
    onState('lost');
    const growing = Math.min(longestPause, retry * 2 ** failures);
    failures += 1;
    await pause(withJitter(Math.max(wait, growing)), signal).catch(() => undefined);
  }
}

interface Line {
  open: (ending: AbortSignal) => Promise<Response>;
  onOpen: () => void;
  /** When the server last said something. */
  contact: { heardAt: number };
  signal: AbortSignal | undefined;
}

/** The events of one connection. Ends, or throws HoldfastError, with it. */
async function* connection({ open, onOpen, contact, signal }: Line): AsyncGenerator<SentEvent> {
  const ending = new AbortController();
  const leave = () => ending.abort();
  signal?.addEventListener('abort', leave);
  /** Rejects if nothing comes for too long; there is a timer only while somebody waits. */
  const heard = async <Value>(coming: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(leave, longestSilence * 1000);
    try {
      const value = await coming;
      contact.heardAt = Date.now();
      return value;
    } catch (error) {
      throw error instanceof HoldfastError ? error : broken(error);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const response = await heard(open(ending.signal));
    if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
    onOpen();
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const parse = makeEventParser();
    for (;;) {
      const chunk = await heard(reader?.read() ?? Promise.resolve({ done: true as const, value: undefined }));
      if (chunk.done) return;
      yield* parse(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

function requestOf(
  baseUrl: string,
  { lastEventId, kinds, repositoryId, progress }: FollowOptions,
  signal: AbortSignal,
): Request {
  const query = new URLSearchParams({
    ...(kinds && { kinds: kinds.join() }),
    ...(repositoryId !== undefined && { repository_id: String(repositoryId) }),
    ...(progress && { progress: 'true' }),
  });
  const headers = {
    Accept: eventStream,
    ...(lastEventId !== undefined && { 'Last-Event-ID': String(lastEventId) }),
  };
  return new Request(`${baseUrl}/api/events?${query}`, { headers, signal });
}

const broken = (cause: unknown) => new HoldfastError({ status: 0, detail: 'The stream broke.' }, { cause });

/** Whether another attempt may get the stream. */
const isPassing = (error: unknown): error is HoldfastError =>
  error instanceof HoldfastError && (error.status === 0 || error.status === 429 || error.status >= 500);

function idOf({ id }: SentEvent): number | undefined {
  const number = Number(id || Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

const eventOf = ({ event, data }: SentEvent, id: number | undefined) =>
  ({ id, event, data: JSON.parse(data ?? 'null') }) as HoldfastEvent;
