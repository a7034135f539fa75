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
export const isGone = ({ place, pid, process_start }: InstanceRow): boolean =>
  place === placeOfProcesses() && startTimeOf(pid) !== process_start;

/** Containers of one machine have numbers of processes of their own. */
const placeOfProcesses = (): string => `${bootId()} ${namespace()}`;

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
