import { isDriverError } from '../kernel/errors.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from './find-repository.js';
import { openTarget } from './open-target.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'secrets' | 'redactor'>;

/** Whether the tool opens the repository now, beside whatever runs. AppError `not_found`. */
export const testRepository = (needs: Needs) => async (id: number) => {
  const row = await findRepository(needs.storage, { repository_id: id });
  const { target, release } = openTarget(needs)(row);
  try {
    await needs.driver.listArchives(target, {}, { bypassLock: true });
    const message = `Repository ${row.name} opens.`;
    return { success: true, opens: true, message, reason: null, code: null };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const message = `Repository ${row.name} does not open.`;
    return { success: false, opens: false, message, reason: error.message, code: error.kind };
  } finally {
    release();
  }
};
