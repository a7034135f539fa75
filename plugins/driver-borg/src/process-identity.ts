import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ToolProcess } from '@holdfast/plugin-api/driver';

let bootIdentity: string | undefined;

/** Changes with each start of the machine, so that numbers of processes are never compared across one. */
export function bootId(): string {
  if (bootIdentity === undefined) {
    try {
      bootIdentity = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      bootIdentity = hostname();
    }
  }
  return bootIdentity;
}

/** The process's start in the kernel's clock ticks, or null when it is gone or only a zombie. */
export function startTimeOf(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The second field is the program's name in brackets and may hold spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

export const identify = (pid: number): ToolProcess => ({
  pid,
  startedAt: startTimeOf(pid) ?? '',
  host: bootId(),
});

export const isAlive = (process: Pick<ToolProcess, 'pid' | 'startedAt'>): boolean =>
  startTimeOf(process.pid) === process.startedAt;
