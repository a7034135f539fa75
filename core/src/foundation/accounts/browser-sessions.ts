import type { BrowserCredentials, BrowserSessionView } from '@holdfast/contracts';
import type { Clock, StorageSession } from '@holdfast/plugin-api';
import { AppError, inTransaction, say } from '../kernel/index.js';
import {
  browserTokenMinutes,
  handleOf,
  hashOfRefreshToken,
  judgeRefresh,
  makeRefreshToken,
  makeSalt,
  sessionLifeMs,
  successorOf,
} from './browser-session.rules.js';
import { endBrowserSessions } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import { logoutAddress, type ProviderNeeds } from './provider-calls.js';
import { answerChallenge, checkCode, type SessionUser } from './second-factor.js';
import { issueToken, type SessionSettings } from './sessions.js';
import { signIn } from './sign-in.js';
import { type BrowserSessionRow, browserSessions, tokens, type UserRow, users } from './tables.js';
import { done, userView } from './users.js';

type Needs = AccountsNeeds & SessionSettings;

export interface BrowserSession {
  view: BrowserSessionView;
  /** For the cookie. Only its hash is stored. */
  refreshToken: string;
  /** How long the browser keeps the cookie; null: until it is closed. */
  keepForMs: number | null;
  user: SessionUser & { tokenId: number };
}

/** Opens a session for a browser. Throws AppError `unauthenticated`, like a login. */
export const openBrowserSession = (needs: Needs) => {
  const signUserIn = signIn(needs);
  return (credentials: BrowserCredentials): Promise<BrowserSession> =>
    signUserIn(credentials, (session, user) =>
      beginBrowserSession(needs, session, { user, remember: credentials.remember }),
    );
};

/** The rest of it, after the second factor. */
export const completeBrowserSession = (needs: Needs, answer: { challenge: string; code: string }) =>
  answerChallenge(needs, { ...answer, check: checkCode(needs, answer.code) }, (session, user, { remember }) =>
    beginBrowserSession(needs, session, { user, remember }),
  );

/** For a user who has signed in. In the transaction that notes it. */
export async function beginBrowserSession(
  needs: Needs,
  session: StorageSession,
  { user, remember, ...by }: NewSession,
): Promise<BrowserSession> {
  const now = needs.clock.now();
  const refreshToken = makeRefreshToken();
  const handle_hash = hashOfRefreshToken(handleOf(refreshToken) ?? '');
  const row = await session.insert(browserSessions, {
    user_id: user.id,
    handle_hash,
    current_hash: hashOfRefreshToken(refreshToken),
    salt: '',
    remember,
    rotated_at: now,
    created_at: now,
    expires_at: now + sessionLifeMs({ remember }),
    provider: by.provider ?? null,
    provider_logout: by.logout === undefined ? null : needs.secrets.seal(purposeOf(handle_hash), by.logout),
  });
  return answerFor({ ...needs, storage: session }, { row, user, refreshToken });
}

interface NewSession {
  user: UserRow;
  remember: boolean;
  /** The plugin that signed the user in, and what it needs to end its session. */
  provider?: string;
  logout?: string | undefined;
}

const purposeOf = (handleHash: string) => `provider-logout:${handleHash}`;

/** A refresh token was presented that had been replaced: its session was ended. */
export interface ReusedToken {
  reusedBy: SessionUser;
}

/**
 * Exchanges a refresh token for an access token and the next refresh token. Throws AppError `unauthenticated`
 * for a session that has ended.
 */
export function refreshBrowserSession(
  needs: Needs,
  refreshToken: string | undefined,
): Promise<BrowserSession | ReusedToken> {
  return inTransaction(needs.storage, async (session) => {
    const { row, user } = await findSession(session, refreshToken, needs.clock.now());
    const next = await advance(session, { row, refreshToken: refreshToken ?? '', clock: needs.clock });
    if (next !== null) return answerFor({ ...needs, storage: session }, { row, user, refreshToken: next });
    await endBrowserSessions(session, [row.id]);
    return { reusedBy: { userId: user.id, username: user.username } };
  });
}

/** Ends the session of a refresh token, also of one that was replaced. Resolves to its user, null if there was none. */
export async function endBrowserSession(needs: ProviderNeeds, refreshToken: string | undefined) {
  const ended = await inTransaction(needs.storage, async (session) => {
    const found = await lookUp(session, refreshToken, needs.clock.now());
    if (found) await endBrowserSessions(session, [found.row.id]);
    return found;
  });
  const endedBy: SessionUser | null = ended && { userId: ended.user.id, username: ended.user.username };
  const { provider = null, provider_logout = null, handle_hash = '' } = ended?.row ?? {};
  const logout = provider_logout && needs.secrets.open(purposeOf(handle_hash), provider_logout);
  const address = provider && logout ? await logoutAddress(needs, { provider, logout }) : null;
  return { endedBy, answer: { ...done('Signed out.'), provider_logout: address } };
}

/** The refresh token that the browser has from now on; null if `refreshToken` was reused. */
async function advance(
  session: StorageSession,
  { row, refreshToken, clock }: { row: BrowserSessionRow; refreshToken: string; clock: Clock },
): Promise<string | null> {
  const now = clock.now();
  const hash = hashOfRefreshToken(refreshToken);
  const verdict = judgeRefresh(row, hash, now);
  if (verdict === 'reused') return null;
  const isNew = verdict === 'rotate' || verdict === 'late';
  const salt = isNew ? makeSalt() : row.salt;
  const next = verdict === 'keep' ? refreshToken : successorOf(refreshToken, salt);
  // The answer that was not used is void: whoever has it is somebody else.
  if (verdict === 'late')
    await session.remove(tokens, { session_id: row.id, created_at: { gte: row.rotated_at } });
  const rotated = {
    salt,
    previous_hash: hash,
    current_hash: hashOfRefreshToken(next),
    received: false,
    rotated_at: now,
  };
  await session.update(
    browserSessions,
    { id: row.id },
    { ...(isNew && rotated), expires_at: now + sessionLifeMs(row) },
  );
  return next;
}

async function findSession(session: StorageSession, refreshToken: string | undefined, now: number) {
  const found = await lookUp(session, refreshToken, now);
  if (found?.user.is_active) return found;
  throw new AppError('unauthenticated', say`session_ended: The session has ended: sign in again.`);
}

async function lookUp(session: StorageSession, refreshToken: string | undefined, now: number) {
  const handle = handleOf(refreshToken ?? '');
  if (handle === null) return null;
  const where = { handle_hash: hashOfRefreshToken(handle), expires_at: { gt: now } };
  const [row] = await session.find(browserSessions, { where, limit: 1 });
  if (!row) return null;
  const [user] = await session.find(users, { where: { id: row.user_id }, limit: 1 });
  return user ? { row, user } : null;
}

interface Issued {
  row: Pick<BrowserSessionRow, 'id' | 'remember' | 'provider'>;
  user: UserRow;
  refreshToken: string;
}

async function answerFor(
  { storage, clock, settings }: { storage: StorageSession; clock: Clock } & SessionSettings,
  { row, user, refreshToken }: Issued,
): Promise<BrowserSession> {
  const now = clock.now();
  const minutes = Math.min(browserTokenMinutes, settings.accessTokenMinutes);
  const issued = await issueToken(storage, {
    user_id: user.id,
    kind: 'session',
    name: null,
    read_only: false,
    session_id: row.id,
    created_at: now,
    expires_at: now + minutes * 60_000,
  });
  const { accessToken } = issued;
  return {
    view: {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: minutes * 60,
      ...userView(user, settings, row),
    },
    refreshToken,
    keepForMs: row.remember ? sessionLifeMs(row) : null,
    user: { userId: user.id, username: user.username, tokenId: issued.row.id },
  };
}
