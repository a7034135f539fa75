import type { NewUser, UserView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { users } from '../schema/tables.js';
import { userView } from './user-view.js';
import type { Dependencies } from '../dependencies.js';
import { sayingWhatIsTaken } from './taken-user-key.js';

export const createUser =
  ({ storage, passwords, clock }: Pick<Dependencies, 'storage' | 'passwords' | 'clock'>) =>
  async (_caller: Caller, input: NewUser): Promise<UserView> => {
    const row = {
      username: input.username,
      email: input.email ?? null,
      password_hash: await passwords.hash(input.password),
      is_admin: input.is_admin,
      created_at: clock.now(),
    };
    return userView(await sayingWhatIsTaken(() => storage.insert(users, row)));
  };
