import { readFileSync } from 'node:fs';
import { startTimeOf } from '../process-identity.js';
import type { Holder } from './lock-files.js';

export interface LockFacts {
  /** Our own identity. */
  own: string;
  /** Identities of this installation whose processes are all dead. */
  dead: ReadonlySet<string>;
  /** Whether a process of our own identity has this number now. */
  runs(pid: number): boolean;
}

/** What is not of this installation, or can't be proved, lives. */
export const isProvablyDead = ({ host, pid }: Pick<Holder, 'host' | 'pid'>, facts: LockFacts): boolean =>
  host === facts.own ? !facts.runs(pid) : facts.dead.has(host);

/** Every process of an identity has it in its environment: another one by the same number is not the holder. */
export function runsAs(identity: string, pid: number): boolean {
  // A number that can't be looked up says nothing.
  if (startTimeOf(process.pid) === null) return true;
  if (startTimeOf(pid) === null) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`BORG_HOST_ID=${identity}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
