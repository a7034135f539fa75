import { isRemote } from '../location.js';
import type { OwnLocks } from './own-locks.js';

/**
 * Who holds the lock of a local repository, in words; null when nobody does, its holder is known to be dead, or it can't
 * be seen from here.
 */
export async function describeLockHolder(location: string, locks: OwnLocks): Promise<string | null> {
  if (isRemote(location)) return null;
  const own = (await locks.take())?.id;
  const args = (await locks.livingHolders(location)).map(({ host, pid, exclusive }) => {
    const machine = host === own ? 'this service' : host.replace(/@.*$/, '');
    return `a borg process (${pid} ${host === own ? 'of' : 'on'} ${machine}) that is ${exclusive ? 'writing' : 'reading'}`;
  });
  return args.length === 0 ? null : [...new Set(args)].join(', ');
}
