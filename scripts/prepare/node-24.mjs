import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

const name = `node-linux-${process.arch}`;
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
const folder = join(cache, 'node-24');

/** The folder with `bin` and `include` of Node.js 24: from its npm package, stored in a cache folder. */
export function node24() {
  if (!existsSync(folder)) install();
  return join(folder, 'node_modules', name);
}

/** Made beside its final location and renamed at the end, so that an aborted run leaves nothing half done. */
function install() {
  say(`Fetching Node.js 24 (${name}) to ${folder}`);
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(`${folder}.making-`);
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', '--prefix', made, ...quiet, `${name}@24`], { stdio: ['ignore', 2, 2] });
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
