import { conflict, isStoreError } from '../kernel/errors.js';

/** Runs a write of a user; a taken username or e-mail address becomes AppError `conflict`. */
export async function sayingWhatIsTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    const what = error.key === 'email' ? 'e-mail address' : 'username';
    throw conflict(`Another user has this ${what}: choose another.`, { cause: error });
  }
}
