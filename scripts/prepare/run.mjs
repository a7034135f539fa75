import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { forgetChild, noteChild } from './orphan.mjs';
import { root } from './root.mjs';

/**
 * Runs a command in the repository's folder and forwards its output to stderr. Resolves to `{ code, output }`; `code`
 * is 127 if the command does not exist.
 */
export function run(command, parameters, { env = {}, quiet = false, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => child.kill('SIGTERM');
    const chunks = [];
    const take = (chunk) => {
      chunks.push(chunk);
      if (!quiet) process.stderr.write(chunk);
    };
    process.on('exit', stop);
    if (child.pid !== undefined) noteChild(child.pid);
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const end = (code) => {
      process.off('exit', stop);
      forgetChild();
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 1));
  });
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
