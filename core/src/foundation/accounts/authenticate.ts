import type { Grant, UserView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { Caller, SignedInCaller } from '../kernel/index.js';
import { ReadCache } from '../kernel/index.js';
import { hashOfAccessToken, looksLikeAccessToken } from './accounts.rules.js';
import type { AccountsNeeds } from './needs.js';
import { mustSetUpFactor } from './second-factor.rules.js';
import type { SessionSettings } from './sessions.js';
import {
  type BrowserSessionRow,
  browserSessions,
  type TokenRow,
  tokens,
  type UserRow,
  users,
} from './tables.js';
import { findOwnUser, userView } from './users.js';

/** Precision of `last_used_at`: at most one write per minute and token. */
const useNotedEveryMs = 60_000;

/**
 * The caller behind an access token; null when it is unknown, expired or revoked, or its user is inactive.
 * Cached reads are used only while the storage reports no change, so a revoked token fails with the next
 * request on every instance.
 */
export const authenticate = ({ storage, clock, log, settings }: AccountsNeeds & SessionSettings) => {
  const cache = new ReadCache(storage);
  return async (accessToken: string): Promise<SignedInCaller | null> => {
    if (!looksLikeAccessToken(accessToken)) return null;
    const hash = hashOfAccessToken(accessToken);
    const { token, holder } = await cache.read(hash, () => readToken(storage, hash));
    const now = clock.now();
    const caller = callerOf({ token, ...holder }, now, settings);
    if (token && caller) await noteUse({ storage, log }, token, now);
    return caller;
  };
};

async function readToken(storage: StorageSession, hash: string) {
  const [token] = await storage.find(tokens, { where: { hash }, limit: 1 });
  return { token, holder: token && (await holderOf(storage, token)) };
}

async function noteUse(
  { storage, log }: Pick<AccountsNeeds, 'storage' | 'log'>,
  token: TokenRow,
  now: number,
) {
  if (token.last_used_at !== null && now - token.last_used_at < useNotedEveryMs) return;
  try {
    if (token.session_id !== null && token.last_used_at === null) {
      await storage.update(browserSessions, { id: token.session_id, received: false }, { received: true });
    }
    await storage.update(tokens, { id: token.id, last_used_at: token.last_used_at }, { last_used_at: now });
  } catch (error) {
    // A full or busy database must not prevent reads.
    log.warn('could not record the use of an access token', { tokenId: token.id, error });
  }
}

/** The caller of a stored token at `now`; null when it is expired or its user is inactive. */
export async function callerOfToken(
  { storage, clock, settings }: Pick<AccountsNeeds, 'storage' | 'clock'> & SessionSettings,
  token: TokenRow | undefined,
): Promise<SignedInCaller | null> {
  return token ? callerOf({ token, ...(await holderOf(storage, token)) }, clock.now(), settings) : null;
}

interface TokenHolder {
  user: UserRow | undefined;
  session: BrowserSessionRow | undefined;
}

async function holderOf(storage: StorageSession, { user_id, session_id }: TokenRow): Promise<TokenHolder> {
  const [user] = await storage.find(users, { where: { id: user_id }, limit: 1 });
  if (session_id === null) return { user, session: undefined };
  const [session] = await storage.find(browserSessions, { where: { id: session_id }, limit: 1 });
  return { user, session };
}

/** The same for rows that were already read. */
function callerOf(
  { token, user, session }: Partial<TokenHolder> & { token: TokenRow | undefined },
  now: number,
  { requireSecondFactor }: SessionSettings['settings'],
): SignedInCaller | null {
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return null;
  if (!user?.is_active || (token.session_id !== null && !session)) return null;
  const limits = limitsOf(user, token);
  return {
    userId: user.id,
    username: user.username,
    isAdmin: user.is_admin && limits.length === 0,
    ...(limits.length > 0 && { limits, restorePaths: user.restore_paths }),
    readOnly: token.read_only,
    ...(token.summary_only && { summaryOnly: true }),
    tokenId: token.id,
    ...(session && { confirmedUntil: session.confirmed_until }),
    mustChangePassword: user.must_change_password,
    mustSetUpFactor:
      token.kind === 'session' && session?.provider == null && mustSetUpFactor(user, requireSecondFactor),
  };
}

const limitsOf = (user: UserRow, token: TokenRow): Grant[][] =>
  [user.grants, token.grants].filter((grants) => grants !== null);

type Holder = Pick<Caller, 'tokenId' | 'userId' | 'limits'>;

/**
 * For callers with long-lived answers: the ids of tokens that were revoked or expired, whose user is inactive, or whose
 * rights are others now.
 */
export async function findSignedOut(
  { storage, clock }: AccountsNeeds,
  holders: readonly Holder[],
): Promise<Set<number>> {
  const tokenIds = [...new Set(holders.map(({ tokenId }) => tokenId))];
  const userIds = [...new Set(holders.map(({ userId }) => userId))];
  const now = clock.now();
  const held = await storage.find(tokens, { where: { id: { in: tokenIds } } });
  const active = await storage.find(users, { where: { id: { in: userIds }, is_active: true } });
  const holdersById = new Map(active.map((user) => [user.id, user]));
  const limitsNow = new Map<number, string>();
  for (const token of held) {
    const user = holdersById.get(token.user_id);
    if (user && (token.expires_at ?? Infinity) > now)
      limitsNow.set(token.id, JSON.stringify(limitsOf(user, token)));
  }
  const good = new Set(
    holders
      .filter(({ tokenId, limits = [] }) => limitsNow.get(tokenId) === JSON.stringify(limits))
      .map(({ tokenId }) => tokenId),
  );
  return new Set(tokenIds.filter((id) => !good.has(id)));
}

export async function getMe(
  { storage, settings }: AccountsNeeds & SessionSettings,
  caller: Caller,
): Promise<UserView> {
  const [own] = await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
  const { session } = own ? await holderOf(storage, own) : {};
  return userView(await findOwnUser(storage, caller), settings, session);
}
