import { generatePassword, passwordFault } from './password-rule.rules.js';
import { invalid, isStoreError } from '../kernel/errors.js';
import { users } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

/**
 * Makes the user `admin` when there is no user at all. With a password given (INITIAL_ADMIN_PASSWORD) it holds;
 * without one the answer is a generated password, which must be changed at the first login: show it once.
 * null when nothing is to be shown. Of several processes that start together exactly one makes the user.
 * AppError `invalid` when the given password breaks the rule.
 */
export const ensureInitialAdmin =
  ({ storage, passwords, clock }: Pick<Dependencies, 'storage' | 'passwords' | 'clock'>) =>
  async (initialPassword?: string): Promise<string | null> => {
    if ((await storage.find(users, { limit: 1 })).length > 0) return null;
    const fault = initialPassword ? passwordFault(initialPassword) : null;
    if (fault) throw invalid(`INITIAL_ADMIN_PASSWORD ${fault}.`);
    const password = initialPassword || generatePassword();
    try {
      await storage.insert(users, {
        username: 'admin',
        password_hash: await passwords.hash(password),
        is_admin: true,
        must_change_password: !initialPassword,
        created_at: clock.now(),
      });
    } catch (error) {
      if (isStoreError(error, 'unique')) return null;
      throw error;
    }
    return initialPassword ? null : password;
  };
