import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ToolProcess } from '@holdfast/plugin-api/driver';

let bootIdentity: string | undefined;

/** Changes with each boot of the machine, so that pids are never compared across boots. */
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

/** The process's start in the kernel's clock ticks; null if it is gone or a zombie. */
export function startTimeOf(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The second field is the program's name in brackets, which may contain spaces and brackets itself.
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
