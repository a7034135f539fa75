import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../wait-for.js';

/**
 * Stops a process, and resolves when each of its threads stands still. The signal is taken by one of them when it next
 * has the processor: until then the others go on, and may take a lock.
 */
export async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const stands = (thread: string) => /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'));
  const all = () => readdirSync(`/proc/${pid}/task`).every(stands);
  await waitFor(all, { what: `the standstill of process ${pid}`, intervalMs: 1 });
}
