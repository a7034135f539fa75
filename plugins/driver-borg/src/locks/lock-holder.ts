import { isRemote } from '../location.js';
import type { OwnLocks } from './own-locks.js';

/**
 * Describes who holds the lock of a local repository; null if nobody does, the holder is known to be dead, or it
 * can't be seen from here.
 */
export async function describeLockHolder(location: string, locks: OwnLocks): Promise<string | null> {
  if (isRemote(location)) return null;
  const own = (await locks.take())?.id;
  const descriptions = (await locks.livingHolders(location)).map(({ host, pid, exclusive }) => {
    const machine = host === own ? 'this service' : host.replace(/@.*$/, '');
    return `a Borg process (${pid} ${host === own ? 'of' : 'on'} ${machine}) that is ${exclusive ? 'writing' : 'reading'}`;
  });
  return descriptions.length === 0 ? null : [...new Set(descriptions)].join(', ');
}
