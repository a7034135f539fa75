import type { Caller } from '../kernel/caller.rules.js';
import { invalid } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { tokens, users } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { done } from './done.js';
import { findUser } from './find-user.js';
import { refuseForLastAdmin } from './last-admin.js';

/** Removes a user and all its tokens. What the user asked for (jobs) keeps its name and goes on. */
export const deleteUser =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, id: number) => {
    if (id === caller.userId) {
      throw invalid('You cannot delete your own account: another administrator can.');
    }
    const user = await inTransaction(storage, async (session) => {
      const found = await findUser(session, id);
      await refuseForLastAdmin(session, found);
      await session.remove(tokens, { user_id: id });
      await session.remove(users, { id });
      return found;
    });
    return done(`User ${user.username} was deleted.`);
  };
