import { readFileSync } from 'node:fs';
import { startTimeOf } from '../process-identity.js';
import type { Holder } from './lock-files.js';

export interface LockFacts {
  /** The identity of this service. */
  own: string;
  /** Identities of this installation whose processes are all dead. */
  dead: ReadonlySet<string>;
  /** Whether a process of our own identity has this pid now. */
  runs(pid: number): boolean;
}

/** A holder from another installation, or one whose death can't be proved, counts as alive. */
export const isProvablyDead = ({ host, pid }: Pick<Holder, 'host' | 'pid'>, facts: LockFacts): boolean =>
  host === facts.own ? !facts.runs(pid) : facts.dead.has(host);

/** Every process has its identity in its environment: another process with the same pid is not the holder. */
export function runsAs(identity: string, pid: number): boolean {
  // Without a way to look up pids, nothing is known.
  if (startTimeOf(process.pid) === null) return true;
  if (startTimeOf(pid) === null) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`BORG_HOST_ID=${identity}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
