import { spawnSync } from 'node:child_process';
import { findProgram } from '../prepare/run.mjs';
import { PrepareError } from '../prepare/say.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Makes sure that a program exists whose package has the same name on every system. */
export async function needed(name) {
  const names = Object.fromEntries(
    ['apt-get', 'dnf', 'pacman', 'apk', 'zypper'].map((manager) => [manager, [name]]),
  );
  if (!findProgram(name)) await installWithSystem(name, names);
}

/** Returns a command's stdout; its stderr goes to the terminal. @throws PrepareError */
export function outputOf(command, ...parameters) {
  const { status, stdout } = spawnSync(command, parameters, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new PrepareError(`${command} ${parameters[0]} failed: see its output above.`);
  return stdout.trim();
}

/** Runs a command whose output is shown to the user. @throws PrepareError */
export function visibly(command, ...parameters) {
  // stdout is reserved for the result.
  const { status } = spawnSync(command, parameters, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new PrepareError(`${command} ${parameters[0]} failed: see its output above.`);
}

/**
 * Runs `work` in the root file system of a new container of an image, with the container's name, and removes the
 * container.
 */
export async function inContainer(image, work) {
  const container = outputOf('buildah', 'from', '--pull-never', image);
  try {
    return await work(outputOf('buildah', 'mount', container), container);
  } finally {
    spawnSync('buildah', ['rm', container], { stdio: 'ignore' });
  }
}
