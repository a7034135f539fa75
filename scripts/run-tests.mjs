import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

/** Runs `npm test` with these filters and additional variables, and ends this process with its result. */
export function runTests(filters, variables) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), ...filters], {
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
