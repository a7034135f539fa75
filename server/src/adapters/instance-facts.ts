import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { InstanceFacts, InstanceRow } from '@holdfast/core/server';
import { bootId, startTimeOf } from './scripts/process-group.js';

/** This process, as others find it. */
export const instanceFacts = (version: string): InstanceFacts => ({
  uid: randomUUID(),
  host: hostname(),
  pid: process.pid,
  place: placeOfProcesses(),
  process_start: startTimeOf(process.pid) ?? '',
  version,
});

/** True only for a process of this machine, seen by the same numbers, that has ended. */
export function isGone({ place, pid, process_start }: InstanceRow): boolean {
  if (place !== placeOfProcesses() || process_start === '') return false;
  const start = startTimeOf(pid);
  return start === null ? !isOfSomebodyElse(pid) : start !== process_start;
}

/** There is a process that this one may not signal: the machine may hide it in /proc too. */
function isOfSomebodyElse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Containers of one machine have numbers of processes of their own. */
const placeOfProcesses = (): string => `${bootId()} ${namespace()}`;

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
