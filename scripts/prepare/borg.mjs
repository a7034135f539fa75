import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { findProgram, run } from './run.mjs';
import { PrepareError } from './say.mjs';
import { stampIs, writeStamp } from './stamp.mjs';
import { installWithSystem } from './system-package.mjs';

const stamp = join(root, '.cache', 'borg');

/** Identifies the checked program: running borg for its version takes a third of a second, so it is done once. */
function factsOfProgram(file) {
  const path = realpathSync(file);
  const { size, mtimeMs } = statSync(path);
  return `${file} ${path} ${size} ${mtimeMs}`;
}

export function borgReady() {
  const file = findProgram('borg');
  return file !== null && stampIs(stamp, factsOfProgram(file));
}

/** Finds borg 1.2 or later (below 2) on PATH, or installs the system's package. Resolves to its path. */
export async function prepareBorg() {
  if (!findProgram('borg')) {
    await installWithSystem('borg', {
      'apt-get': ['borgbackup'],
      dnf: ['borgbackup'],
      pacman: ['borg'],
      apk: ['borgbackup'],
      zypper: ['borgbackup'],
      brew: ['borgbackup'],
    });
  }
  const file = findProgram('borg');
  if (!file) throw new PrepareError('borg was installed but is not on PATH: add its folder to PATH.');
  if (!stampIs(stamp, factsOfProgram(file))) await checkVersion(file);
  writeStamp(stamp, factsOfProgram(file));
  return file;
}

async function checkVersion(file) {
  const { code, output } = await run(file, ['--version'], { quiet: true });
  const [, major, minor] = /borg\S* (\d+)\.(\d+)/.exec(output) ?? [];
  if (code === 0 && major === '1' && Number(minor) >= 2) return;
  const found = output.trim().split('\n')[0] || `exit code ${code}`;
  throw new PrepareError(
    `Holdfast needs borg 1.2 or a later 1.x; ${file} reports: ${found}. Put a newer one first on PATH.`,
  );
}
