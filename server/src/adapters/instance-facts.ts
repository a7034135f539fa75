import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { InstanceFacts, InstanceRow } from '@holdfast/core/server';
import { bootId, startTimeOf } from './scripts/process-group.js';

/** Identifies this process to other instances. */
export const instanceFacts = (version: string): InstanceFacts => ({
  uid: randomUUID(),
  host: hostname(),
  pid: process.pid,
  place: placeOfProcesses(),
  process_start: startTimeOf(process.pid) ?? '',
  version,
});

/** True only if the process ran on this machine, in the same PID namespace, and has ended. */
export function isGone({ place, pid, process_start }: InstanceRow): boolean {
  if (place !== placeOfProcesses() || process_start === '') return false;
  const start = startTimeOf(pid);
  return start === null ? !belongsToOtherUser(pid) : start !== process_start;
}

/** True if a process of another user has this PID. /proc may hide such processes. */
function belongsToOtherUser(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Boot id and PID namespace: containers on one machine have separate PIDs. */
const placeOfProcesses = (): string => `${bootId()} ${namespace()}`;

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
