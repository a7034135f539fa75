import type { SessionView } from '@holdfast/contracts';
import type { Clock, StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../kernel/index.js';
import { inTransaction, invalid, say } from '../kernel/index.js';
import { hashOfAccessToken, makeAccessToken } from './accounts.rules.js';
import { endBrowserSessions } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import type { SecondFactorPolicy } from './second-factor.rules.js';
import { type TokenRow, tokens } from './tables.js';
import { done, findOwnUser, tokenEnded } from './users.js';

/** The settings that sessions need. */
export interface SessionSettings {
  settings: { accessTokenMinutes: number; requireSecondFactor: SecondFactorPolicy };
}

export interface IssuedToken {
  row: TokenRow;
  /** Returned to the caller once; only its hash is stored. */
  accessToken: string;
}

type TokenFacts = Pick<TokenRow, 'user_id' | 'kind' | 'name' | 'read_only' | 'created_at' | 'expires_at'> &
  Partial<Pick<TokenRow, 'session_id' | 'grants' | 'summary_only'>>;

export async function issueToken(storage: StorageSession, facts: TokenFacts): Promise<IssuedToken> {
  const accessToken = makeAccessToken();
  const row = await storage.insert(tokens, { ...facts, hash: hashOfAccessToken(accessToken) });
  return { row, accessToken };
}

/** A login token with the configured lifetime. */
export function issueSession(
  { storage, clock, settings }: { storage: StorageSession; clock: Clock } & SessionSettings,
  userId: number,
): Promise<IssuedToken> {
  const now = clock.now();
  return issueToken(storage, {
    user_id: userId,
    kind: 'session',
    name: null,
    read_only: false,
    created_at: now,
    expires_at: now + settings.accessTokenMinutes * 60_000,
  });
}

export const sessionView = (
  { accessToken }: IssuedToken,
  { settings, mustChangePassword }: SessionSettings & { mustChangePassword: boolean },
): SessionView => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: settings.accessTokenMinutes * 60,
  must_change_password: mustChangePassword,
});

/**
 * Revokes the token of this request; that of a browser ends its whole session. The other sessions of the user
 * continue.
 */
export async function logOut({ storage }: AccountsNeeds, caller: Caller) {
  await inTransaction(storage, async (session) => {
    const [own] = await session.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
    if (own?.session_id != null) await endBrowserSessions(session, [own.session_id]);
    else await session.remove(tokens, { id: caller.tokenId });
  });
  return done('Logged out.');
}

/** Exchanges the caller's session for a new one. Neither for API tokens nor for browser sessions. */
export async function refreshSession(
  needs: AccountsNeeds & SessionSettings,
  caller: Caller,
): Promise<SessionView> {
  const { storage, settings } = needs;
  const user = await findOwnUser(storage, caller);
  const [own] = await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
  if (own?.kind === 'api')
    throw invalid(
      say`api_token_not_refreshable: API tokens cannot be refreshed: create a new one when this one expires.`,
    );
  if (own?.session_id != null)
    throw invalid(
      say`refresh_by_cookie: A browser session is refreshed by its cookie: POST /api/auth/session/refresh.`,
    );

  const session = await issueSession(needs, user.id);
  // A logout or password change that has just revoked the old token applies to this session too.
  if ((await storage.remove(tokens, { id: caller.tokenId })) === 0) {
    await storage.remove(tokens, { id: session.row.id });
    throw tokenEnded();
  }
  return sessionView(session, { settings, mustChangePassword: user.must_change_password });
}
