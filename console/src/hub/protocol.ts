import type { HoldfastEvent, Schemas } from '../api/client.js';

/** The signed-in user, as returned by the API. */
export type User = Omit<Schemas['BrowserSessionView'], 'access_token' | 'token_type' | 'expires_in'>;

/** Whether the event stream is connected. `since`: milliseconds since 1970. */
export interface Connection {
  state: 'connecting' | 'open' | 'lost';
  since: number;
}

/** Calls from a tab to the hub, each with one answer. */
export interface HubCalls {
  /** Joins and returns the current state after the first refresh. Null: not signed in. */
  hello(): { user: User | null; connection: Connection };
  signIn(credentials: Schemas['BrowserCredentials']): User;
  signOut(): null;
  /** An access token that is still valid for some time. Null: not signed in. */
  token(): string | null;
  /** After a 401 with this token. Null: no longer signed in. */
  nextToken(refused: string): string | null;
  /** The tab goes away. */
  bye(): null;
}

export type CallName = keyof HubCalls;
export type Call = { call: number; name: CallName; given: unknown };

/** A failed call, as it crosses to the tab. */
export interface SentError {
  status: number;
  detail: string;
  code?: string;
  params?: Schemas['ErrorBody']['params'];
  retryAfter?: number;
}

export type FromHub =
  | { answer: number; value?: unknown; error?: SentError }
  | { user: User | null }
  | { connection: Connection }
  | { event: HoldfastEvent };
