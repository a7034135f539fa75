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
  signIn(given: SignInStep): User;
  /** For an authenticator; with the challenge of a second factor for this one. */
  passkeyOptions(given: { challenge?: string }): Schemas['PasskeyOptions'];
  /** The address that ends the session at the provider, too. */
  signOut(): string | null;
  /** An access token that is still valid for some time. Null: not signed in. */
  token(): string | null;
  /** After a 401 with this token. Null: no longer signed in. */
  nextToken(refused: string): string | null;
  /** The tab goes away. */
  bye(): null;
}

/** To be sent below the address of sessions. */
export type SignInStep =
  | { step: ''; body: Schemas['BrowserCredentials'] }
  | { step: '/totp'; body: { challenge: string; code: string } }
  | { step: '/passkey'; body: { challenge: string; response: object; remember?: boolean } };

export type CallName = keyof HubCalls;
export type Call = { call: number; name: CallName; given: unknown };

export type SecondFactorDue = NonNullable<Schemas['ErrorBody']['second_factor']>;

/** A failed call, as it crosses to the tab. */
export interface SentError {
  status: number;
  detail: string;
  code?: string;
  params?: Schemas['ErrorBody']['params'];
  retryAfter?: number;
  secondFactor?: SecondFactorDue;
}

export type FromHub =
  | { answer: number; value?: unknown; error?: SentError }
  | { user: User | null }
  | { connection: Connection }
  | { event: HoldfastEvent };
