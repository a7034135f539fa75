import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Creates the certificates of test servers. */
export const openssl = {
  name: 'openssl',
  neededBy: /'openssl'/,
  variable: 'PATH',
  async prepare() {
    if (!findProgram('openssl')) {
      const names = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper', 'brew'];
      await installWithSystem('openssl', Object.fromEntries(names.map((name) => [name, ['openssl']])));
    }
    const found = findProgram('openssl');
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: {} };
  },
};
