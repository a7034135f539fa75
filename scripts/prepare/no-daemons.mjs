import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';

/** Debian calls this before it starts the daemon of a package. */
const startPolicy = '/usr/sbin/policy-rc.d';
let installing = 0;
let isOurs = false;

/** Runs `install` so that Debian starts no daemon of the installed packages; several may run at once. */
export async function withoutDaemons(install) {
  if (installing === 0) isOurs = forbidDaemons();
  installing += 1;
  try {
    return await install();
  } finally {
    installing -= 1;
    if (installing === 0 && isOurs) rmSync(startPolicy);
  }
}

function forbidDaemons() {
  if (!existsSync('/usr/sbin') || existsSync(startPolicy) || process.getuid?.() !== 0) return false;
  writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n');
  chmodSync(startPolicy, 0o755);
  return true;
}
