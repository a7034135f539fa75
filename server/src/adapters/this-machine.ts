import { spawn } from 'node:child_process';
import type { SourceHost } from '@holdfast/plugin-api/driver';

/** A file system that does not answer costs a process, and no request waits longer. */
const longestMs = 30_000;

/** Programs on this machine, as on another host. */
export const thisMachine: SourceHost = {
  name: 'this machine',
  toolPath: null,
  run: async ([program = '', ...words], { signal }) => {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const child = spawn(program, words, {
      env,
      stdio: 'pipe',
      timeout: longestMs,
      killSignal: 'SIGKILL',
      signal,
    });
    const exit = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killed) => resolve({ code, signal: killed }));
    });
    return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exit };
  },
};
