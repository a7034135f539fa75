import type { StorageSession } from '@holdfast/plugin-api';
import { AppError, type Caller, inTransaction, invalid, isAppError, say } from '../kernel/index.js';
import { confirmedMs } from './browser-session.rules.js';
import { type BrowserSession, beginBrowserSession } from './browser-sessions.js';
import { findChallenge, makeChallenge, useUp } from './challenges.js';
import { linkIdentity, userOfIdentity } from './identities.js';
import { begunSignIn, returnPath, signedIn } from './provider.rules.js';
import { asked, type ProviderNeeds, refused } from './provider-calls.js';
import type { SessionUser } from './second-factor.js';
import { browserSessions, identities, tokens, users } from './tables.js';
import { tokenEnded } from './users.js';

/** What one visit to a provider is for. The session is that of the browser that asked for it. */
type Purpose = { kind: 'sign-in' } | { kind: 'link' | 'confirm'; userId: number; sessionId: number };

interface Visit {
  provider: string;
  kept: string;
  returnTo: string;
  purpose: Purpose;
}

/** Where the browser goes. `cookie`: what it has to bring back. */
export interface BegunVisit {
  redirect: string;
  cookie: string;
}

/** How a visit ended: with a session, unless the browser had one. */
export interface EndedVisit {
  returnTo: string;
  user: SessionUser;
  session: BrowserSession | null;
  remark?: string | undefined;
}

/** `unauthenticated`, or `unavailable` if the provider cannot tell. */
export interface RefusedVisit {
  returnTo: string;
  refusal: AppError;
}

export const listSignIns = ({ signIns }: ProviderNeeds) =>
  signIns.map(({ id, provider: { label } }) => ({ id, label }));

export const beginSignIn = (
  needs: ProviderNeeds,
  { provider, returnTo }: { provider: string; returnTo: string | undefined },
) => begin(needs, { provider, returnTo, purpose: { kind: 'sign-in' } });

/** For the caller's browser session. Throws AppError `invalid` for other callers. */
export async function beginLink(
  needs: ProviderNeeds,
  caller: Caller,
  { provider, returnTo, kind }: { provider: string; returnTo: string | undefined; kind: 'link' | 'confirm' },
) {
  const [own] = await needs.storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
  if (own?.session_id == null)
    throw invalid(say`browser_session_needed: Only a browser session can do this: sign in with a browser.`);
  const purpose = { kind, userId: caller.userId, sessionId: own.session_id };
  return begin(needs, { provider, returnTo, purpose });
}

async function begin(
  needs: ProviderNeeds,
  { provider: id, returnTo, purpose }: { provider: string; returnTo: string | undefined; purpose: Purpose },
): Promise<BegunVisit> {
  const { publicUrl } = needs.settings;
  if (publicUrl === undefined)
    throw new AppError(
      'unavailable',
      say`public_url_missing: Set PUBLIC_URL to the address of Holdfast, so that browsers can come back to it.`,
    );
  const { redirect, kept } = await asked(needs, id, begunSignIn, (provider, signal) =>
    provider.begin({
      callback: `${publicUrl}/api/auth/sign-in/${id}/callback`,
      fresh: purpose.kind === 'confirm',
      signal,
    }),
  );
  const data: Visit = { provider: id, kept, returnTo: returnPath(returnTo), purpose };
  const userId = purpose.kind === 'sign-in' ? null : purpose.userId;
  return { redirect, cookie: await makeChallenge(needs, { kind: 'provider', userId, data }) };
}

export interface ReturnedVisit {
  provider: string;
  /** Null: the browser has none. */
  cookie: string | undefined;
  /** With a question mark, as the browser sent it. */
  search: string;
  proxyHeaders: Readonly<Record<string, string>>;
}

/**
 * Finishes a visit once, for the browser that began it; nobody else's answer gets as far as the plugin. Throws AppError
 * `unauthenticated` for them.
 */
export async function finishVisit(
  needs: ProviderNeeds,
  returned: ReturnedVisit,
): Promise<EndedVisit | RefusedVisit> {
  const found = await findChallenge<Visit>(needs, 'provider', returned.cookie ?? '');
  await useUp(needs.storage, found);
  try {
    return await finish(needs, found.data, returned);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { returnTo: found.data.returnTo, refusal: error };
  }
}

async function finish(
  needs: ProviderNeeds,
  { kept, provider: begun, purpose, returnTo }: Visit,
  { provider: id, search, proxyHeaders }: ReturnedVisit,
): Promise<EndedVisit> {
  if (begun !== id) throw refused('the answer belongs to another sign-in');
  const url = `${needs.settings.publicUrl}/api/auth/sign-in/${id}/callback${search}`;
  let issuer = '';
  const person = await asked(needs, id, signedIn, (provider, signal) => {
    issuer = provider.issuer;
    return provider.finish({ url, kept, proxyHeaders, signal });
  });
  const identity = { provider: id, issuer, subject: person.subject };
  const name = person.userName;
  return inTransaction(needs.storage, async (session): Promise<EndedVisit> => {
    if (purpose.kind === 'sign-in') {
      const { user, remark } = await userOfIdentity({ ...needs, storage: session }, { identity, person });
      const by = { user, remember: false, provider: id, logout: person.logout };
      const opened = await beginBrowserSession(needs, session, by);
      return { returnTo, user: opened.user, session: opened, remark };
    }
    const user = await ownerOf(session, purpose, needs.clock.now());
    if (purpose.kind === 'link')
      await linkIdentity({ ...needs, storage: session }, user.userId, { ...identity, name });
    else await confirm({ ...needs, storage: session }, purpose, identity);
    return { returnTo, user, session: null, remark: `${purpose.kind}: ${id}` };
  });
}

/** The user of the browser session that asked, if it is still there. */
async function ownerOf(
  session: StorageSession,
  { userId, sessionId }: { userId: number; sessionId: number },
  now: number,
): Promise<SessionUser> {
  const where = { id: sessionId, user_id: userId, expires_at: { gt: now } };
  const [row] = await session.find(browserSessions, { where, limit: 1 });
  const [user] = await session.find(users, { where: { id: userId, is_active: true }, limit: 1 });
  if (!row || !user) throw tokenEnded();
  return { userId, username: user.username };
}

/** Like `confirmPassword`, for the identity with which the user signs in. */
async function confirm(
  { storage, clock }: { storage: StorageSession } & Pick<ProviderNeeds, 'clock'>,
  { userId, sessionId }: { userId: number; sessionId: number },
  identity: { provider: string; issuer: string; subject: string },
): Promise<void> {
  const where = { ...identity, user_id: userId };
  if ((await storage.find(identities, { where, limit: 1 })).length === 0)
    throw refused('somebody else signed in there');
  const confirmed_until = clock.now() + confirmedMs;
  await storage.update(browserSessions, { id: sessionId }, { confirmed_until });
}
