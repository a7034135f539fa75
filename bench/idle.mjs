import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { settings } from './settings.mjs';

const settleMs = 10_000;
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Of one core, for each process. */
export async function idleShares(services) {
  await pause(settleMs);
  const began = performance.now();
  const before = services.map(({ pid }) => processorTime(pid));
  await pause(settings.idleSeconds * 1_000);
  const passed = performance.now() - began;
  return services.map(({ pid }, n) => (processorTime(pid) - before[n]) / passed);
}

/** Of all threads of a process so far, in ms. */
function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticks;
}
