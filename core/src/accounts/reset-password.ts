import type { Caller } from '../kernel/caller.rules.js';
import { tokens, users } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { done } from './done.js';
import { findUser } from './find-user.js';

/** An administrator sets a password that the user must change at the next login; all tokens of the user end. */
export const resetPassword =
  ({ storage, passwords }: Pick<Dependencies, 'storage' | 'passwords'>) =>
  async (_caller: Caller, { id, newPassword }: { id: number; newPassword: string }) => {
    const user = await findUser(storage, id);
    await storage.update(
      users,
      { id },
      { password_hash: await passwords.hash(newPassword), must_change_password: true },
    );
    await storage.remove(tokens, { user_id: id });
    return done(`The password of ${user.username} was set and must be changed at the next login.`);
  };
