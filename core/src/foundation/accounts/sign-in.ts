import type { Credentials } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { AppError, inTransaction, say } from '../kernel/index.js';
import { generatePassword } from './accounts.rules.js';
import type { AccountsNeeds } from './needs.js';
import { secondFactorDue } from './second-factor.js';
import { hasSecondFactor } from './second-factor.rules.js';
import { type UserRow, users } from './tables.js';
import { tokenSweeper } from './tokens.js';

/**
 * Runs `begin` in a transaction for a correct username and password. Throws AppError `unauthenticated`
 * otherwise, and if a second factor is due. An unknown name, or a user without a
 * password, takes as long as a wrong password, so that names cannot be probed.
 */
export const signIn = (needs: AccountsNeeds) => {
  const { storage, clock, passwords } = needs;
  const sweepTokens = tokenSweeper(needs);
  let dummyHash: Promise<string> | undefined;

  return async <T>(
    { username, password, remember = false }: Credentials & { remember?: boolean },
    begin: (session: StorageSession, user: UserRow) => Promise<T>,
  ): Promise<T> => {
    dummyHash ??= passwords.hash(generatePassword());
    const hashOfNobody = await dummyHash;
    const [user] = await storage.find(users, { where: { username }, limit: 1 });
    const right = await passwords.verify(user?.password_hash || hashOfNobody, password);
    if (!user || user.password_hash === '' || !right) throw wrong();
    if (!user.is_active) throw deactivated();
    if (hasSecondFactor(user)) throw await secondFactorDue(needs, user, remember);

    const begun = await inTransaction(storage, async (session) => {
      const last_login = clock.now();
      // The account may have changed while the password was checked.
      const unchanged = { id: user.id, password_hash: user.password_hash, is_active: true };
      if ((await session.update(users, unchanged, { last_login })) === 0) throw wrong();
      return begin(session, { ...user, last_login });
    });
    await sweepTokens();
    return begun;
  };
};

const wrong = () =>
  new AppError('unauthenticated', say`credentials_wrong: The username or the password is wrong.`);
export const deactivated = () =>
  new AppError(
    'unauthenticated',
    say`account_deactivated: This account is deactivated: ask an administrator to activate it.`,
  );
