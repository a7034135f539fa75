import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptRunner } from '@holdfast/core/server';
import type { ToolProcess } from '@holdfast/plugin-api/driver';

/** Time between SIGTERM and SIGKILL. */
export const terminationGraceMs = 5_000;

let bootIdentity: string | undefined;

/** Changes with each boot, so that PIDs of different boots are never compared. */
export function bootId(): string {
  try {
    bootIdentity ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    bootIdentity = hostname();
  }
  return bootIdentity;
}

/** Start time of the process in clock ticks, or null if it is gone or a zombie. */
export function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program name in parentheses; it may contain spaces and parentheses.
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
    // The group is empty.
  }
}

/** See `ScriptRunner.endProcess`. Also ends processes that a script left behind in its group. */
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
