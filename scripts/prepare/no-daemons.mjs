import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';

/** Debian calls this before it starts the daemon of a package. */
const startPolicy = '/usr/sbin/policy-rc.d';

/** Runs `install` so that Debian starts no daemon of the installed packages. */
export async function withoutDaemons(install) {
  const forbids = existsSync('/usr/sbin') && !existsSync(startPolicy) && process.getuid?.() === 0;
  if (forbids) {
    writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n');
    chmodSync(startPolicy, 0o755);
  }
  try {
    return await install();
  } finally {
    if (forbids) rmSync(startPolicy);
  }
}
