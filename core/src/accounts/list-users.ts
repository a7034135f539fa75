import type { UserView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { users } from '../schema/tables.js';
import { userView } from './user-view.js';
import type { Dependencies } from '../dependencies.js';

export const listUsers =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (_caller: Caller): Promise<UserView[]> =>
    (await storage.find(users)).map(userView);
