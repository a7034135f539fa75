import { conflict, isStoreError } from '../kernel/errors.js';

/** Runs a write of a repository; a taken name or path becomes AppError `conflict`. */
export async function sayingWhatIsTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    const what = error.key === 'path' ? 'path' : 'name';
    throw conflict(`Another repository has this ${what}: choose another.`, { cause: error });
  }
}
