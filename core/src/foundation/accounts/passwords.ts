import type { PasswordChange } from '@holdfast/contracts';
import type { Caller } from '../kernel/index.js';
import { conflict, inTransaction, invalid, say } from '../kernel/index.js';
import { endAllSignIns } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import { tokens, users } from './tables.js';
import { done, findOwnUser, findUser } from './users.js';

/** Sets the caller's password and ends all other sessions of the user, and the API tokens. */
export async function changePassword(
  { storage, passwords }: AccountsNeeds,
  caller: Caller,
  { current_password, new_password }: PasswordChange,
) {
  const user = await findOwnUser(storage, caller);
  if (!(await passwords.verify(user.password_hash, current_password))) {
    throw invalid(say`current_password_wrong: The current password is wrong.`);
  }
  if (new_password === current_password) {
    throw invalid(say`new_password_same: The new password is the same as the current one: choose another.`);
  }
  const password_hash = await passwords.hash(new_password);
  await inTransaction(storage, async (session) => {
    const before = { id: user.id, password_hash: user.password_hash };
    const changed = await session.update(users, before, { password_hash, must_change_password: false });
    if (changed === 0)
      throw conflict(
        say`password_changed_elsewhere: The password was changed by another request: log in again.`,
      );
    const [own] = await session.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
    await endAllSignIns(session, user.id, own);
  });
  return done('Password changed. All other sessions and API tokens of this account were ended.');
}

/**
 * An administrator sets a password that the user must change at the next login. Revokes all tokens of the
 * user.
 */
export async function resetPassword(
  { storage, passwords }: AccountsNeeds,
  _caller: Caller,
  { id, newPassword }: { id: number; newPassword: string },
) {
  const user = await findUser(storage, id);
  const password_hash = await passwords.hash(newPassword);
  await inTransaction(storage, async (session) => {
    await session.update(users, { id }, { password_hash, must_change_password: true });
    await endAllSignIns(session, id);
  });
  return done(`The password of ${user.username} was set and must be changed at the next login.`);
}
