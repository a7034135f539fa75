import { withoutDaemons } from '../prepare/no-daemons.mjs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Only the program: tests start their own brokers. */
export const mosquitto = {
  name: 'Mosquitto',
  neededBy: /mosquitto-server/,
  variable: 'PATH',
  async prepare() {
    if (!findProgram('mosquitto')) {
      const names = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper', 'brew'];
      const packages = Object.fromEntries(names.map((name) => [name, ['mosquitto']]));
      await withoutDaemons(() => installWithSystem('Mosquitto', packages));
    }
    const found = findProgram('mosquitto');
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: {} };
  },
};
