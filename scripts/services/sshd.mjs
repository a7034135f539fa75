import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';
import { removeLeftAccounts } from './ssh-accounts.mjs';

/** Debian calls this before it starts the daemon of a package. */
const startPolicy = '/usr/sbin/policy-rc.d';
/** sshd confines its unprivileged part here; the path is compiled in. */
const emptyFolder = '/run/sshd';

/** OpenSSH's server: tests start their own on free ports of 127.0.0.1, with temporary users `hf-…`. */
export const sshd = {
  name: 'sshd (OpenSSH)',
  neededBy: /TEST_SSHD/,
  variable: 'PATH, /usr/sbin and /usr/local/sbin',
  async prepare() {
    if (process.getuid?.() !== 0)
      return { found: 'not used: tests with SSH logins need root, and fail', env: {} };
    if (!find()) await install();
    if (!findProgram('sudo')) await installWithSystem('sudo', sudo);
    const found = find();
    if (!found) throw new Error('it was installed but cannot be found.');
    mkdirSync(emptyFolder, { recursive: true, mode: 0o755 });
    removeLeftAccounts();
    return { found, env: { TEST_SSHD: found }, stop: async () => removeLeftAccounts() };
  },
};

const sudo = Object.fromEntries(['apt-get', 'dnf', 'pacman', 'apk', 'zypper'].map((one) => [one, ['sudo']]));

/** `sbin` is often not on a user's PATH. */
function find() {
  const places = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'];
  return findProgram('sshd') ?? places.find((file) => existsSync(file));
}

async function install() {
  const forbids = existsSync('/usr/sbin') && !existsSync(startPolicy);
  if (forbids) {
    writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n');
    chmodSync(startPolicy, 0o755);
  }
  try {
    await installWithSystem('the OpenSSH server', {
      'apt-get': ['openssh-server'],
      dnf: ['openssh-server', 'openssh-clients'],
      pacman: ['openssh'],
      apk: ['openssh'],
      zypper: ['openssh'],
    });
  } finally {
    if (forbids) rmSync(startPolicy);
  }
}
