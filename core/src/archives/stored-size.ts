import { isDriverError } from '../kernel/errors.js';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import type { JobContext } from '../jobs/job-contract.js';
import type { Dependencies } from '../dependencies.js';

/**
 * Bytes on disk after archives were removed. They are gone by now: that the size can't be read is no failure of the job
 * but null.
 */
export async function readStoredSize(
  { driver }: Pick<Dependencies, 'driver'>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<number | null> {
  try {
    return (await driver.open(target, {}, context.toolOptions())).value.storedSize;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    context.log({ level: 'warning', text: `The size of the repository could not be read: ${error.message}` });
    return null;
  }
}
