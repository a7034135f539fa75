import { execFileSync } from 'node:child_process';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Gives a process of the tests a clock of its own. */
export const faketime = {
  name: 'faketime',
  neededBy: /faketime/,
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

/**
 * The environment of a process with a wall clock of its own, as `setting` says; its intervals go on as they are. The
 * library is loaded without its starter, which would stay beside as a parent.
 */
export function ownClock(setting) {
  library ??= askStarter(10);
  return {
    LD_PRELOAD: library,
    ...setting,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
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
