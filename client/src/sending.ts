import { errorOf, HoldfastError, noAnswer, retryAfterOf } from './errors.js';
import { needsNoToken } from './operations.js';
import { pause, withJitter } from './pause.js';

/** Told before each wait. */
export interface WaitInfo {
  /** Of the answer that is the reason; 0 if there was none. */
  status: number;
  seconds: number;
  /** 1 for the wait after the first attempt. */
  attempt: number;
  /** Of the call, such as `/api/backup/start`. */
  path: string;
}

export interface ClientOptions {
  /** Where the service is, without `/api`: may have a path. '' means the origin of the page. */
  baseUrl?: string;
  /** Asked before each attempt. */
  token?: () => string | undefined | Promise<string | undefined>;
  /** Asked after a 401, once for all calls that wait for it. `true`: there is a new token, repeat the call once. */
  onUnauthorized?: () => Promise<boolean>;
  /** Asked after a 403 `confirmation_required`, likewise. `true`: the password was confirmed, repeat the call once. */
  onConfirmationRequired?: () => Promise<boolean>;
  onWait?: (info: WaitInfo) => void;
  /** Attempts of a call that may be repeated; 4 by default. */
  attempts?: number;
  /** In seconds, 10 by default. If the server asks for a longer wait, the call fails with its `retryAfter`. */
  longestWait?: number;
  fetch?: (request: Request) => Promise<Response>;
}

export const keyHeader = 'Idempotency-Key';
export const eventStream = 'text/event-stream';

/** A `fetch` with the token that repeats what may be repeated. Rejects with HoldfastError if there is no answer. */
export function makeSender(options: ClientOptions): (request: Request) => Promise<Response> {
  const { token, onWait, attempts = 4, longestWait = 10 } = options;
  const renewed = onceAtATime(options.onUnauthorized);
  const confirmed = onceAtATime(options.onConfirmationRequired);
  const base = (options.baseUrl ?? '').replace(/\/$/, '');
  const pathOf = ({ url }: Request) =>
    url.slice(new Request(`${base}/`).url.length - 1).split('?', 1)[0] ?? '';

  async function once(request: Request, bearer: string | undefined): Promise<Response> {
    const copy = request.clone();
    if (bearer !== undefined) copy.headers.set('Authorization', `Bearer ${bearer}`);
    try {
      return await (options.fetch ?? globalThis.fetch)(copy);
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : noAnswer(error);
    }
  }

  async function asUser(request: Request): Promise<Response> {
    const own =
      request.headers.has('Authorization') || needsNoToken.has(`${request.method} ${pathOf(request)}`);
    const bearer = own ? undefined : await token?.();
    const first = await once(request, bearer);
    if (own || !(await asksForMore(first, bearer))) return first;
    discard(first);
    return once(request, await token?.());
  }

  async function asksForMore(response: Response, bearer: string | undefined): Promise<boolean> {
    if (response.status === 401) {
      const now = await token?.();
      return (now !== undefined && now !== bearer) || renewed();
    }
    return response.status === 403 && (await needsConfirmation(response)) && confirmed();
  }

  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await asUser(request).catch(failureOf);
      const path = pathOf(request);
      const asked = attempt < attempts ? waitAfter(outcome, { request, path, attempt }) : undefined;
      if (asked === undefined || asked > longestWait) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) discard(outcome);
      const seconds = withJitter(asked);
      onWait?.({ status: outcome.status, seconds, attempt, path });
      await pause(seconds, request.signal);
    }
  };
}

function failureOf(error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  throw error;
}

/** Nobody knows whether the server did what it was asked to: of these statuses, the first is a broken connection. */
const unanswered = new Set([0, 502, 504]);

/** Seconds until the next attempt; undefined if there is none. */
function waitAfter(
  outcome: Response | HoldfastError,
  { request, path, attempt }: { request: Request; path: string; attempt: number },
): number | undefined {
  const { status } = outcome;
  const asked = outcome instanceof Response ? retryAfterOf(outcome) : undefined;
  const own = asked ?? 2 ** attempt / 4;
  // Whoever follows a stream connects again by themselves.
  if (request.headers.get('Accept') === eventStream) return undefined;
  if (unanswered.has(status)) return isHarmless(request) ? own : undefined;
  if (!isHarmless(request) && !/^(PUT|DELETE)$/.test(request.method)) return undefined;
  if (status === 503) return own;
  // The page counts down until the next try of a password.
  if (status === 429) return path.startsWith('/api/auth/') ? undefined : own;
  return status === 409 ? asked : undefined;
}

/**
 * Whether the call may be sent again although it may have been carried out. Sent again, a deletion would say that there
 * is nothing to delete, and a write with a tag that somebody has changed the object.
 */
function isHarmless({ method, headers }: Request): boolean {
  return (
    /^(GET|HEAD)$/.test(method) || headers.has(keyHeader) || (method === 'PUT' && !headers.has('If-Match'))
  );
}

/** Frees the connection. Not waited for: the other half of a cloned body would have to end first. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

async function needsConfirmation(response: Response): Promise<boolean> {
  const reading: Promise<unknown> = response.clone().json();
  const body = await reading.catch(() => null);
  return errorOf(response, body).code === 'confirmation_required';
}

/** Calls at the same time share one question, and its answer. */
function onceAtATime(ask: (() => Promise<boolean>) | undefined): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return async () => {
    asking ??= ask?.().finally(() => {
      asking = undefined;
    });
    return (await asking) ?? false;
  };
}
