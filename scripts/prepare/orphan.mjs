import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The process ids of the commands that preparation is running; they outlive a preparation that is killed. */
const notes = join(root, '.cache', 'preparing');
/** Longer than any installation: the process id in an older note may belong to another process by now. */
const longestMs = 30 * 60_000;

export function noteChild(pid) {
  mkdirSync(join(notes, `${pid}`), { recursive: true });
}

export function forgetChild(pid) {
  rmSync(join(notes, `${pid}`), { recursive: true, force: true });
}

/** True while a command of a dead preparation is still working in this tree. */
export function orphanWorks() {
  try {
    return readdirSync(notes).some(
      (pid) => Date.now() - statSync(join(notes, pid)).mtimeMs < longestMs && isAlive(Number(pid)),
    );
  } catch {
    return false;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
