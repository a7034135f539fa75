import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptRunner } from '@holdfast/core/server';
import type { ToolProcess } from '@holdfast/plugin-api/driver';

/** How long a script gets to end after it was asked to. */
export const terminationGraceMs = 5_000;

let bootIdentity: string | undefined;

/** Changes with each start of the machine, so that numbers of processes are never compared across one. */
export function bootId(): string {
  try {
    bootIdentity ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    bootIdentity = hostname();
  }
  return bootIdentity;
}

/** The process's start in the kernel's clock ticks, or null when it is gone or only a zombie. */
export function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export const identify = (pid: number): ToolProcess => ({
  pid,
  startedAt: startTimeOf(pid) ?? '',
  host: bootId(),
});

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** See `ScriptRunner.endProcess`. What a script left in its group ends with it. */
export const endProcess: ScriptRunner['endProcess'] = async ({ pid, startedAt, host }) => {
  if (host !== bootId()) return 'elsewhere';
  const lives = () => startTimeOf(pid) === startedAt;
  if (!lives()) return 'gone';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(pid, signal);
    const end = performance.now() + terminationGraceMs;
    while (lives() && performance.now() < end) await pause(20);
    if (!lives()) break;
  }
  signalGroup(pid, 'SIGKILL');
  return 'ended';
};
