import type { HoldfastEvent, Schemas } from '../api/client.js';

/** Who is signed in, as the API says it. */
export type User = Omit<Schemas['BrowserSessionView'], 'access_token' | 'token_type' | 'expires_in'>;

/** Whether the stream of events is there. `since`: milliseconds since 1970. */
export interface Connection {
  state: 'connecting' | 'open' | 'lost';
  since: number;
}

/** What a tab can ask the hub for; each is answered once. */
export interface HubCalls {
  /** Joins: what is known so far, after the first refresh. Null: nobody is signed in. */
  hello(): { user: User | null; connection: Connection };
  signIn(credentials: Schemas['BrowserCredentials']): User;
  signOut(): null;
  /** An access token that is valid for some time. Null: nobody is signed in. */
  token(): string | null;
  /** After a 401 with this token. Null: nobody is signed in any more. */
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
