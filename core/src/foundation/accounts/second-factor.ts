import type { Clock, StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../kernel/index.js';
import { AppError, conflict, inTransaction, invalid, say } from '../kernel/index.js';
import {
  challengeLifeMs,
  challengeOver,
  countAnswer,
  findChallenge,
  makeChallenge,
  useUp,
} from './challenges.js';
import { endSessionsOf } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import { hashOfCode, hasSecondFactor, methodsOf, newRecoveryCodes } from './second-factor.rules.js';
import { type ChallengeKind, challenges, type UserRow, users } from './tables.js';
import { newTotpSecret, openTotpSecret, stepOfCode, totpPurpose } from './totp.js';
import { done, findUser, withPassword } from './users.js';

/** Whom an entry of the audit trail names. */
export interface SessionUser {
  userId: number;
  username: string;
}

/** What the rest of a sign-in needs to know. */
export interface BegunSignIn {
  remember: boolean;
  /** The password that was right; a sign-in that was begun with another one is over. */
  passwordHash: string;
}

/** Of a user with a second factor whose password is right. */
export async function secondFactorDue(needs: AccountsNeeds, user: UserRow, remember: boolean) {
  const data: BegunSignIn = { remember, passwordHash: user.password_hash };
  const challenge = await makeChallenge(needs, { kind: 'second-factor', userId: user.id, data });
  return new AppError(
    'unauthenticated',
    say`second_factor_required: Give the second factor, too: send its code with the challenge to POST /api/auth/login/totp.`,
    { secondFactor: { challenge, methods: methodsOf(user), expires_in: challengeLifeMs / 1000 } },
  );
}

/** The columns of a user that an answer to the challenge changes; null: it is wrong. */
export type CheckAnswer = (user: UserRow) => Promise<Partial<UserRow> | null>;

/**
 * Runs `begin` in the transaction that uses up the challenge. Throws AppError `unauthenticated` for wrong answers and for
 * challenges that are over, because they were used, or the password was changed, or the user deactivated.
 */
export async function answerChallenge<T>(
  needs: AccountsNeeds,
  { challenge, check }: { challenge: string; check: CheckAnswer },
  begin: (session: StorageSession, user: UserRow, begun: BegunSignIn) => Promise<T>,
): Promise<T> {
  const found = await findChallenge<BegunSignIn>(needs, 'second-factor', challenge);
  await countAnswer(needs, found);
  const { storage, clock } = needs;
  return inTransaction(storage, async (session) => {
    const [user] = await session.find(users, { where: { id: found.userId ?? 0 }, limit: 1 });
    if (!user?.is_active || user.password_hash !== found.data.passwordHash) throw challengeOver();
    const changes = await check(user);
    if (changes === null) throw wrongCode();
    await useUp(session, found);
    const after = { ...changes, last_login: clock.now() };
    await session.update(users, { id: user.id }, after);
    return begin(session, { ...user, ...after }, found.data);
  });
}

/** Whose challenge it is, for the audit trail and the limits of wrong answers; null: nobody's. */
export async function userOfChallenge(needs: AccountsNeeds, challenge: string): Promise<SessionUser | null> {
  const found = await findChallenge(needs, 'second-factor', challenge).catch(() => null);
  const [user] = await needs.storage.find(users, { where: { id: found?.userId ?? 0 }, limit: 1 });
  return user ? { userId: user.id, username: user.username } : null;
}

/** For the code of an app, or a recovery code. */
export const checkCode =
  ({ clock, secrets }: { clock: Clock } & Pick<AccountsNeeds, 'secrets'>, code: string): CheckAnswer =>
  async (user) => {
    const secret = openTotpSecret(secrets, user);
    const at = { now: clock.now(), usedStep: user.totp_step };
    const step = secret === null ? null : await stepOfCode(secret, code, at);
    if (step !== null) return { totp_step: step };
    const used = hashOfCode(code);
    if (!user.recovery_codes.includes(used)) return null;
    return { recovery_codes: user.recovery_codes.filter((hash) => hash !== used) };
  };

const wrongCode = () =>
  new AppError(
    'unauthenticated',
    say`code_wrong: The code is wrong, or was used already. Wait for the next one, or use a recovery code.`,
  );

/** Throws AppError `invalid` for a challenge of somebody else, too. */
export async function findOwnChallenge<T>(
  needs: AccountsNeeds,
  { userId }: Caller,
  { kind, challenge }: { kind: ChallengeKind; challenge: string },
) {
  const found = await findChallenge<T>(needs, kind, challenge).catch(() => null);
  if (found?.userId === userId) return found;
  throw invalid(say`setup_over: This step is over, or was done already: begin again.`);
}

/** Begins to set up an authenticator app: nothing changes before its first code. */
export async function setUpTotp(needs: AccountsNeeds, caller: Caller, password: string) {
  const user = await withPassword(needs, caller, password);
  if (user.totp_secret !== null)
    throw conflict(say`totp_set_up: An authenticator app is set up already: remove it first.`);
  const made = await newTotpSecret(user.username);
  const data = { secret: made.secret };
  const challenge = await makeChallenge(needs, { kind: 'totp-setup', userId: user.id, data });
  return { challenge, ...made };
}

/** Answers with the recovery codes, which nobody can read again. */
export async function enableTotp(
  needs: AccountsNeeds,
  caller: Caller,
  { challenge, code }: { challenge: string; code: string },
) {
  const { storage, clock, secrets } = needs;
  const found = await findOwnChallenge<{ secret: string }>(needs, caller, { kind: 'totp-setup', challenge });
  const { secret } = found.data;
  const totp_step = await stepOfCode(secret, code, { now: clock.now(), usedStep: 0 });
  if (totp_step === null)
    throw invalid(
      say`first_code_wrong: The code is wrong. Compare the clocks of this server and of the phone, and use the next code.`,
    );
  const recovery = newRecoveryCodes();
  const totp_secret = secrets.seal(totpPurpose(caller.userId), secret);
  await inTransaction(storage, async (session) => {
    await useUp(session, found);
    await session.remove(challenges, { user_id: caller.userId, kind: 'second-factor' });
    await session.update(
      users,
      { id: caller.userId },
      { totp_secret, totp_step, recovery_codes: recovery.hashes },
    );
  });
  return { success: true as const, recovery_codes: recovery.codes };
}

/** Removes the authenticator app. Without a passkey, the recovery codes go, too. */
export async function disableTotp(
  needs: AccountsNeeds,
  caller: Caller,
  { password, code }: { password: string; code: string },
) {
  const { id } = await withPassword(needs, caller, password);
  await inTransaction(needs.storage, async (session) => {
    const user = await findUser(session, id);
    if (user.totp_secret === null) throw invalid(say`totp_missing: No authenticator app is set up.`);
    if ((await checkCode(needs, code)(user)) === null)
      throw invalid(say`current_code_wrong: The code is wrong, or was used already. Wait for the next one.`);
    const left = { ...user, totp_secret: null };
    await session.update(users, { id }, { totp_secret: null, ...(!hasSecondFactor(left) && noCodes) });
  });
  return done('The authenticator app was removed.');
}

/** They replace a second factor; without one they are worth nothing. */
export const noCodes = { recovery_codes: [] };

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(needs: AccountsNeeds, caller: Caller, password: string) {
  const user = await withPassword(needs, caller, password);
  if (!hasSecondFactor(user))
    throw invalid(say`second_factor_missing: Set up a second factor first: recovery codes replace it.`);
  const { codes, hashes } = newRecoveryCodes();
  await needs.storage.update(users, { id: user.id }, { recovery_codes: hashes });
  return { success: true as const, recovery_codes: codes };
}

/** For users who lost their second factor. Ends their sessions, not their API tokens. */
export async function resetFactor({ storage }: Pick<AccountsNeeds, 'storage'>, _caller: Caller, id: number) {
  const { username } = await inTransaction(storage, async (session) => {
    const user = await findUser(session, id);
    await session.update(users, { id }, { totp_secret: null, passkeys: [], ...noCodes });
    await endSessionsOf(session, id);
    return user;
  });
  return done(`The second factor of ${username} was removed.`);
}
