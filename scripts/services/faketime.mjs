import { execFileSync } from 'node:child_process';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Gives a test process its own clock. */
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
 * The environment of a process with its own wall clock, set by `setting`; intervals are not affected. The library is
 * loaded without its starter, which would remain as a parent process.
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

/** The starter fails if a semaphore remains from a process with the same pid; another attempt has another pid. */
function askStarter(attempts) {
  try {
    const args = ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'];
    return execFileSync('faketime', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    if (attempts <= 1) throw error;
    return askStarter(attempts - 1);
  }
}
