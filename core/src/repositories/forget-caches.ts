import type { Dependencies } from '../dependencies.js';

/** Lets the tool drop what it keeps for a repository on this machine; that it can't is no reason to fail. */
export async function forgetCaches(
  { driver, log }: Pick<Dependencies, 'driver' | 'log'>,
  uid: string,
): Promise<void> {
  try {
    await driver.forget({ uid });
  } catch (error) {
    log.warn('the caches of a repository that is not registered stay on disk', { uid, error });
  }
}
