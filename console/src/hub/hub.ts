import { answer, followEvents, HoldfastError, type HoldfastEvent, makeSender } from '../api/client.js';
import type { Call, Connection, FromHub, HubCalls, SentError, User } from './protocol.js';

/** A token is replaced this long before it ends. */
const marginMs = 60_000;
/** A proxy may refuse the stream while the service starts again. */
const refusedMs = 10_000;

/** How often the service is asked while no events arrive. */
const pollMs = 10_000;
const pollPatienceMs = 5_000;

/**
 * Holds the access token and the one stream of events for all tabs of a browser. It lives in a SharedWorker; a browser
 * without them has one per tab. The token is in its memory only.
 */
export class Hub {
  readonly #base: string;
  readonly #tabs = new Set<MessagePort>();
  #user: User | null = null;
  #token: { text: string; until: number } | null = null;
  #refreshing: Promise<string | null> | undefined;
  #connection: Connection = { state: 'connecting', since: Date.now() };
  #stream: AbortController | undefined;
  /** Events arrive. */
  #hears = false;
  /** No event arrives, but the service answers: a proxy holds the stream back. */
  #polls = false;
  readonly #events: Parameters<typeof followEvents>[0];

  constructor(base: string) {
    this.#base = base;
    this.#events = {
      baseUrl: base,
      send: makeSender({
        baseUrl: base,
        token: async () => (await this.#validToken()) ?? undefined,
        onUnauthorized: async () => (await this.#refresh()) !== null,
      }),
    };
    setInterval(() => void this.#poll(), pollMs);
  }

  async #poll(): Promise<void> {
    if (this.#hears || !this.#stream) return;
    const asked = fetch(`${this.#base}/health/ready`, { signal: AbortSignal.timeout(pollPatienceMs) });
    const answers = await asked.then(
      ({ ok }) => ok,
      () => false,
    );
    if (this.#hears || !this.#stream) return;
    const before = this.#polls;
    this.#polls = answers;
    if (!answers) return before ? this.#connected('lost', Date.now()) : undefined;
    this.#connected('open', Date.now());
    this.#tell({ event: { id: undefined, event: 'reset', data: { last_event_id: 0 } } });
  }

  join(port: MessagePort): void {
    this.#tabs.add(port);
    port.onmessage = ({ data }: MessageEvent<Call>) => void this.#answer(port, data);
    port.start();
  }

  async #answer(port: MessagePort, { call, name, given }: Call): Promise<void> {
    try {
      const calls = this.#calls as Record<string, ((given: never) => unknown) | undefined>;
      const value = name === 'bye' ? this.#tabs.delete(port) : await calls[name]?.(given as never);
      port.postMessage({ answer: call, value } satisfies FromHub);
    } catch (error) {
      port.postMessage({ answer: call, error: sent(error) } satisfies FromHub);
    }
  }

  readonly #calls: { [name in keyof Omit<HubCalls, 'bye'>]: (given: never) => unknown } = {
    hello: async () => {
      // Also for a tab that came back from a provider with a session.
      if (!this.#user) await this.#refresh();
      return { user: this.#user, connection: this.#connection };
    },
    signIn: async ({ step, body }: Parameters<HubCalls['signIn']>[0]) => {
      await this.#open(`/api/auth/session${step}`, body);
      return this.#user;
    },
    passkeyOptions: (body: object) => this.#send('POST', '/api/auth/session/passkey/options', body),
    signOut: async () => {
      const ended = await this.#send('DELETE', '/api/auth/session').catch(() => undefined);
      this.#end();
      return ended?.provider_logout ?? null;
    },
    token: () => this.#validToken(),
    nextToken: (refused: string) => (this.#token?.text === refused ? this.#refresh() : this.#validToken()),
  };

  async #validToken(): Promise<string | null> {
    if (this.#token && this.#token.until - marginMs > Date.now()) return this.#token.text;
    return this.#user ? this.#refresh() : null;
  }

  /** One at a time, for all tabs. Null: the session is over. */
  #refresh(): Promise<string | null> {
    this.#refreshing ??= this.#open('/api/auth/session/refresh')
      .catch((error) => {
        if (!(error instanceof HoldfastError && [400, 401, 403].includes(error.status))) throw error;
        this.#end();
        return null;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #open(path: string, body?: unknown): Promise<string> {
    const answered = await this.#send('POST', path, body);
    const { access_token, token_type: _, expires_in, ...user } = answered;
    this.#token = { text: access_token, until: Date.now() + expires_in * 1000 };
    const changed = JSON.stringify(user) !== JSON.stringify(this.#user);
    this.#user = user;
    if (changed) this.#tell({ user });
    if (!user.must_change_password && !user.must_set_up_second_factor) this.#follow();
    return access_token;
  }

  async #send(method: string, path: string, body?: unknown) {
    const sending = fetch(`${this.#base}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Holdfast-Session': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer(
      sending.then(async (response) => {
        const value = await response.json().catch(() => undefined);
        return response.ok ? { data: value, response } : { error: value ?? {}, response };
      }),
    );
  }

  #end(): void {
    const was = this.#user;
    this.#token = null;
    this.#user = null;
    this.#stream?.abort();
    this.#stream = undefined;
    if (was) this.#tell({ user: null });
  }

  #follow(): void {
    if (this.#stream) return;
    const stream = new AbortController();
    this.#stream = stream;
    this.#connected('connecting', Date.now());
    this.#pass(stream.signal).catch(() => {
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#connected('lost', Date.now());
      setTimeout(() => this.#user && this.#follow(), refusedMs);
    });
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const events = followEvents(this.#events, {
      progress: true,
      signal,
      onState: (state, heardAt) => this.#connected(state, state === 'lost' ? heardAt : Date.now()),
    });
    for await (const event of events) {
      this.#hears = true;
      this.#polls = false;
      this.#tell({ event: event as HoldfastEvent });
    }
  }

  #connected(state: Connection['state'], since: number): void {
    if (state !== 'open') this.#hears = false;
    if (state !== 'open' && this.#polls) return;
    // Trying again does not make the loss a newer one.
    if (state !== 'open' && this.#connection.state === 'lost') return;
    this.#connection = { state, since };
    this.#tell({ connection: this.#connection });
  }

  #tell(message: FromHub): void {
    for (const port of this.#tabs) port.postMessage(message);
  }
}

const sent = (error: unknown): SentError => {
  if (!(error instanceof HoldfastError)) return { status: 0, detail: String(error) };
  const { status, detail, code, params, retryAfter, secondFactor } = error;
  return { status, detail, code, params, retryAfter, secondFactor };
};
