import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';

/** What Debian asks before it starts the daemon of a package. */
const startPolicy = '/usr/sbin/policy-rc.d';

/** Runs `install` so that Debian starts no daemon of what it installs. */
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
