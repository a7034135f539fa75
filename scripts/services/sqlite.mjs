import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** The program that copies databases while they are in use. */
export const sqlite = {
  name: 'SQLite (sqlite3)',
  neededBy: /\('sqlite3'|source-sqlite|kind: 'sqlite'/,
  variable: 'PATH',
  async prepare() {
    if (!findProgram('sqlite3')) {
      await installWithSystem('SQLite', {
        'apt-get': ['sqlite3'],
        dnf: ['sqlite'],
        pacman: ['sqlite'],
        apk: ['sqlite'],
        zypper: ['sqlite3'],
      });
    }
    const found = findProgram('sqlite3');
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: {} };
  },
};
