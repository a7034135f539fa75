import type { UserView } from '@holdfast/contracts';
import { userView } from './user-view.js';
import type { Dependencies } from '../dependencies.js';
import { findUser } from './find-user.js';

/** AppError `not_found`. */
export const getUser =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number): Promise<UserView> =>
    userView(await findUser(storage, id));
