import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Stops a process, and resolves when each of its threads stands still. Rejects if it is gone. The signal is taken by one
 * thread when it next has the processor: until then the others go on, answer, and may take a lock.
 * @param {number} pid
 */
export async function stopProcess(pid) {
  do process.kill(pid, 'SIGSTOP');
  while (!standsStill(`/proc/${pid}/task`) && (await pause(1, true)));
}

function standsStill(folder) {
  try {
    const states = readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/stat`, 'utf8'));
    return states.every((text) => /\) [TZX] /.test(text));
  } catch {
    // A thread has ended in between.
    return false;
  }
}
