import type { PasskeyAnswer } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../kernel/index.js';
import { AppError, inTransaction, invalid, say } from '../kernel/index.js';
import type { Site } from '../ports/passkey-tool.js';
import { hashOfAccessToken, looksLikeAccessToken } from './accounts.rules.js';
import { beginBrowserSession } from './browser-sessions.js';
import {
  challengeLifeMs,
  challengeOver,
  findChallenge,
  makeChallenge,
  purposeOf,
  useUp,
} from './challenges.js';
import { browserSessionOf, openConfirmed } from './confirmation.js';
import type { AccountsNeeds } from './needs.js';
import { ownerOf } from './passkeys.js';
import { answerChallenge, findOwnChallenge } from './second-factor.js';
import type { SessionSettings } from './sessions.js';
import { deactivated } from './sign-in.js';
import { challenges, type Passkey, type UserRow, users } from './tables.js';
import { findOwnUser } from './users.js';

type Needs = AccountsNeeds & SessionSettings;

/** As second factor of the sign-in that `challenge` belongs to; without one, instead of name and password. */
export async function offerPasskeySignIn(needs: Needs, { challenge, origin }: Site & { challenge?: string }) {
  if (challenge === undefined) {
    const made = sealedChallenge(needs);
    const wanted = { origin, challenge: made, verifiesUser: true };
    return { challenge: made, options: await needs.passkeyTool.request(wanted) };
  }
  const { userId } = await findChallenge(needs, 'second-factor', challenge);
  const [user] = await needs.storage.find(users, { where: { id: userId ?? 0 }, limit: 1 });
  return requestOf(needs, user, { origin, challenge, verifiesUser: false });
}

/** Instead of the password, for what has to be confirmed. */
export async function offerPasskeyConfirmation(needs: Needs, caller: Caller, origin: string) {
  const user = await findOwnUser(needs.storage, caller);
  const data = { sessionId: await browserSessionOf(needs.storage, caller) };
  const challenge = await makeChallenge(needs, { kind: 'passkey', userId: user.id, data });
  return requestOf(needs, user, { origin, challenge, verifiesUser: true });
}

async function requestOf(
  { passkeyTool }: Needs,
  user: UserRow | undefined,
  wanted: Site & { challenge: string; verifiesUser: boolean },
) {
  const known = user?.passkeys.filter(({ origin }) => origin === wanted.origin) ?? [];
  if (known.length === 0)
    throw invalid(
      say`passkey_elsewhere: You have no passkey for ${{ origin: wanted.origin }}: passkeys answer only at the address where they were added.`,
    );
  return { challenge: wanted.challenge, options: await passkeyTool.request({ ...wanted, known }) };
}

/** Opens a browser session. Throws AppError `unauthenticated`, like a login. */
export function signInWithPasskey(needs: Needs, answer: PasskeyAnswer & { remember: boolean }) {
  const { challenge } = answer;
  if (!looksLikeAccessToken(challenge)) return signInAlone(needs, answer);
  const check = async (user: UserRow) => ({
    passkeys: await answeredBy(needs, user, { ...answer, verifiesUser: false }),
  });
  return answerChallenge(needs, { challenge, check }, (session, user, begun) =>
    beginBrowserSession(needs, session, { user, remember: begun.remember }),
  );
}

/** The user is not known before the passkey: that it verified the user makes it two factors. */
async function signInAlone(needs: Needs, answer: PasskeyAnswer & { remember: boolean }) {
  const expires_at = endOfSealed(needs, answer.challenge);
  if (expires_at <= needs.clock.now()) throw challengeOver();
  return inTransaction(needs.storage, async (session) => {
    const user = await ownerOf(session, answer.response.id);
    if (!user) throw wrongPasskey('unauthenticated');
    const passkeys = await answeredBy(needs, user, { ...answer, verifiesUser: true });
    if (!user.is_active) throw deactivated();
    await useSealed(session, needs, { challenge: answer.challenge, expires_at });
    const after = { passkeys, last_login: needs.clock.now() };
    await session.update(users, { id: user.id }, after);
    return beginBrowserSession(needs, session, { user: { ...user, ...after }, remember: answer.remember });
  });
}

/** Like a confirmed password. */
export async function confirmByPasskey(needs: Needs, caller: Caller, answer: PasskeyAnswer) {
  const { challenge } = answer;
  const found = await findOwnChallenge<{ sessionId: number }>(needs, caller, { kind: 'passkey', challenge });
  return inTransaction(needs.storage, async (session) => {
    const id = await browserSessionOf(session, caller);
    if (id !== found.data.sessionId) throw wrongPasskey('invalid');
    const user = await findOwnUser(session, caller);
    const passkeys = await answeredBy(needs, user, { ...answer, verifiesUser: true, code: 'invalid' });
    await useUp(session, found);
    await session.update(users, { id: user.id }, { passkeys });
    return openConfirmed(session, { id, now: needs.clock.now() });
  });
}

interface Answered extends PasskeyAnswer {
  verifiesUser: boolean;
  /** Of the refusal. */
  code?: AppError['code'];
}

/** The user's passkeys after the use of one. */
async function answeredBy(
  { passkeyTool, clock }: Needs,
  { passkeys }: UserRow,
  { code = 'unauthenticated', ...answer }: Answered,
): Promise<Passkey[]> {
  const credential = passkeys.find(({ id }) => id === answer.response.id);
  if (!credential) throw wrongPasskey(code);
  const counter = await passkeyTool.answered({ ...answer, origin: credential.origin, credential });
  if (counter === null) throw wrongPasskey(code);
  // Authenticators without a counter answer 0 each time.
  if (counter <= credential.counter && counter + credential.counter > 0)
    throw new AppError(
      code,
      say`passkey_copied: A newer answer of the passkey ${{ name: credential.name }} was seen before: it may have been copied. Sign in another way, and remove it.`,
    );
  const used = { ...credential, counter, last_used_at: clock.now() };
  return passkeys.map((passkey) => (passkey === credential ? used : passkey));
}

const wrongPasskey = (code: AppError['code']) =>
  new AppError(
    code,
    say`passkey_wrong: This passkey is not known here, or its answer is not valid: use another one, or the password.`,
  );

const purpose = 'passkey-sign-in';

/** Anybody gets one, so it is stored only when it is used. */
const sealedChallenge = ({ clock, secrets }: Needs): string =>
  secrets.seal(purpose, `${clock.now() + challengeLifeMs}`);

/** 0: it was not made here. */
function endOfSealed({ secrets }: Needs, challenge: string): number {
  try {
    return Number(secrets.open(purpose, challenge));
  } catch {
    return 0;
  }
}

async function useSealed(
  session: StorageSession,
  { secrets }: Needs,
  { challenge, expires_at }: { challenge: string; expires_at: number },
): Promise<void> {
  const hash = hashOfAccessToken(challenge);
  const row = {
    hash,
    kind: 'used' as const,
    user_id: null,
    data: secrets.seal(purposeOf(hash), ''),
    expires_at,
  };
  await session.insert(challenges, row).catch((error: unknown) => {
    throw isStoreError(error, 'unique') ? challengeOver() : error;
  });
}
