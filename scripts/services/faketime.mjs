import { execFileSync } from 'node:child_process';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Gives a process of the tests a clock of its own. */
export const faketime = {
  name: 'faketime',
  variable: 'PATH',
  async prepare() {
    if (!findProgram('faketime')) {
      await installWithSystem('faketime', {
        'apt-get': ['faketime'],
        dnf: ['libfaketime'],
        pacman: ['libfaketime'],
        apk: ['libfaketime'],
        zypper: ['libfaketime'],
      });
    }
    const found = findProgram('faketime');
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: {} };
  },
};

let library;

/** The file that gives a process its clock when it is loaded first; the starter would stay beside as a parent. */
export function faketimeLibrary() {
  library ??= askStarter(10);
  return library;
}

/** The starter refuses where a semaphore is left of one that had the same process number: another try has another. */
function askStarter(attempts) {
  try {
    const words = ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'];
    return execFileSync('faketime', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    if (attempts <= 1) throw error;
    return askStarter(attempts - 1);
  }
}
