import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** The start of the process in the kernel's ticks; null if it is gone or a zombie. */
function startTimeOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /[ZX]/.test(fields[0]) ? null : fields[19];
}

export const identify = (pid) => ({ pid, startedAt: startTimeOf(pid) ?? '', host: bootId() });

/** Sends a signal to the tool and everything that it started. */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** How long the tool may take to end after each signal. */
export const graceMs = 5000;

export async function endProcess({ pid, startedAt, host }) {
  if (host !== bootId()) return 'elsewhere';
  if (startTimeOf(pid) !== startedAt) return 'gone';
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    signalGroup(pid, signal);
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      if (startTimeOf(pid) !== startedAt) return 'ended';
      await pause(20);
    }
  }
  throw new Error(`Process ${pid} does not end.`);
}
