import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { forgetChild, noteChild } from './orphan.mjs';
import { root } from './root.mjs';

/**
 * Runs a command in the repository's folder and forwards its output to stderr. Resolves to `{ code, output }`; `code`
 * is 127 if the command does not exist. When this process ends, so do the command and all that it started; also when its output
 * `isHopeless`.
 */
export function run(command, parameters, { env = {}, quiet = false, cwd = root, isHopeless } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const { pid } = child;
    const stop = () => endGroup(pid);
    const chunks = [];
    const take = (chunk) => {
      chunks.push(chunk);
      if (isHopeless?.(chunk)) stop();
      if (!quiet) process.stderr.write(chunk);
    };
    process.on('exit', stop);
    if (pid !== undefined) noteChild(pid);
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const end = (code) => {
      process.off('exit', stop);
      if (pid !== undefined) forgetChild(pid);
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 1));
  });
}

function endGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

/** The full path of a program on PATH, or null. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder || '.', name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
