import { DriverError } from '@holdfast/core/plugin';
import type { Call } from '../command.js';
import { isRemote } from '../location.js';
import { farId } from './far-identity.js';
import { refuseOther } from './other-repository.js';

/** They open no manifest, so that the tool compares nothing with what it noted of the repository. */
const blind: ReadonlySet<string | undefined> = new Set(['compact', 'check']);

const isOther = (error: unknown): boolean =>
  error instanceof DriverError && error.kind === 'other_repository';

/**
 * Resolves when a command that writes meets the registered repository, and rejects with DriverError when it would meet
 * another one; null where the repository's own file tells, which is read anyway. `list` asks the tool what is there:
 * it takes longer than its protocol, which says no more than the id.
 */
export function admission(
  { target, command, options }: Call,
  list: () => Promise<void>,
): Promise<void> | null {
  if (!target.expected || !command.writes) return null;
  const far = isRemote(target.location);
  const isBlind = blind.has(command.verb[0]);
  if (!far && !isBlind) return null;
  return (async () => {
    const id = far ? await farId(target, options.signal) : target.expected?.id;
    if (id) refuseOther(target, { id });
    if (id && !isBlind) return;
    await list().catch((error: unknown) => {
      // What else is wrong with it, the command itself meets: a check is there to find it.
      if (!id || isOther(error)) throw error;
    });
  })();
}
