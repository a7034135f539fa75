import { DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { describeLockHolder } from './lock-holder.js';
import type { OwnLocks } from './own-locks.js';

interface Place {
  target: RepositoryTarget;
  context: { locks: OwnLocks };
}

/** The holder may have released the lock since; then the message does not name it. */
export async function lockedError({ target, context }: Place, error: DriverError): Promise<DriverError> {
  const holder = await describeLockHolder(target.location, context.locks);
  const who = holder ?? 'another Borg process';
  return new DriverError('locked', `The repository is locked by ${who}. Try again when it has ended.`, {
    ...error.options,
    holder: holder ?? undefined,
  });
}
