import type { UserChanges, UserView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { tokens, type UserRow, users } from '../schema/tables.js';
import { userView } from './user-view.js';
import type { Dependencies } from '../dependencies.js';
import { findUser } from './find-user.js';
import { refuseForLastAdmin } from './last-admin.js';
import { sayingWhatIsTaken } from './taken-user-key.js';

/** Changes e-mail address, rights or activity. A deactivated user's tokens end at once. */
export const updateUser =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  (_caller: Caller, { id, ...changes }: UserChanges & { id: number }): Promise<UserView> =>
    sayingWhatIsTaken(() => inTransaction(storage, (session) => change(session, id, changes)));

async function change(session: StorageSession, id: number, changes: UserChanges): Promise<UserView> {
  const user = await findUser(session, id);
  const after: UserRow = {
    ...user,
    email: changes.email === undefined ? user.email : changes.email,
    is_active: changes.is_active ?? user.is_active,
    is_admin: changes.is_admin ?? user.is_admin,
  };
  if (!after.is_active || !after.is_admin) await refuseForLastAdmin(session, user);
  const { email, is_active, is_admin } = after;
  await session.update(users, { id }, { email, is_active, is_admin });
  if (!is_active) await session.remove(tokens, { user_id: id });
  return userView(after);
}
