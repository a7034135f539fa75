import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Linux takes one change in a tenth of a second from all users but root together. */
const [attempts, pauseMs] = [10, 150];

/**
 * Where Linux shares the processor first between sessions (`autogroup`), a process's own niceness counts only among
 * those of its session, and each tool leads one: this gives the session the niceness. Elsewhere it does nothing.
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
