import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

/** The command that preparation is running now; it outlives a preparation that is killed. */
const noteFile = join(root, '.cache', 'prepare.child');
/** Longer than any installation: the process id in an older note may belong to another process by now. */
const longestMs = 30 * 60_000;

export function noteChild(pid) {
  mkdirSync(dirname(noteFile), { recursive: true });
  writeFileSync(noteFile, `${pid}`);
}

export function forgetChild() {
  rmSync(noteFile, { force: true });
}

/** True while a command of a dead preparation is still working in this tree. */
export function orphanWorks() {
  try {
    const isRecent = Date.now() - statSync(noteFile).mtimeMs < longestMs;
    return isRecent && isAlive(Number(readFileSync(noteFile, 'utf8')));
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
