import type { UserView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { userView } from './user-view.js';
import type { Dependencies } from '../dependencies.js';
import { findOwnUser } from './find-user.js';

export const getMe =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller): Promise<UserView> =>
    userView(await findOwnUser(storage, caller));
