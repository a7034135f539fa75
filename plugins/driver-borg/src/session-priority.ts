import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Linux accepts one change per tenth of a second from all users except root together. */
const [attempts, pauseMs] = [10, 150];

/**
 * With `autogroup`, Linux first divides the processor between sessions, so a process's own niceness counts only
 * within its session. Each tool leads a session; this sets the niceness of the session. Without `autogroup` it does
 * nothing.
 */
export async function lowerSession(pid: number, niceness: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(niceness));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await pause(pauseMs, undefined, { ref: false });
    }
  }
}
