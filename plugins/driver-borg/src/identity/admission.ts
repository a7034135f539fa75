import type { Call } from '../command.js';
import { isRemote } from '../location.js';
import { rejectOther } from './other-repository.js';
import { remoteId } from './remote-identity.js';

/**
 * For a command that writes to a repository on another host: resolves if it is the registered one, and rejects with
 * DriverError `other_repository` if not. Null for other commands: for readers, the tool's answer is checked, and the
 * config of a local repository is checked anyway. `list` asks the tool if its protocol gave no answer.
 */
export function admission(
  { target, command, options }: Call,
  list: () => Promise<void>,
): Promise<void> | null {
  if (!target.expected || !command.writes || !isRemote(target.location)) return null;
  return remoteId(target, options.signal).then((id) => (id === null ? list() : rejectOther(target, { id })));
}
