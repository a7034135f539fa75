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
