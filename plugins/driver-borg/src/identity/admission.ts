import type { Call } from '../command.js';
import { isRemote } from '../location.js';
import { farId } from './far-identity.js';
import { refuseOther } from './other-repository.js';

/**
 * For a command that writes to a repository on another host: resolves when the registered one is there, and rejects with
 * DriverError `other_repository` when another one is. Null for other commands: what reads is judged by the tool's answer,
 * and the own file of a local repository is read anyway. `list` asks the tool, where its protocol gave no answer.
 */
export function admission(
  { target, command, options }: Call,
  list: () => Promise<void>,
): Promise<void> | null {
  if (!target.expected || !command.writes || !isRemote(target.location)) return null;
  return farId(target, options.signal).then((id) => (id === null ? list() : refuseOther(target, { id })));
}
