#!/usr/bin/env node
/**
 * `npm run fuzz [-- --minutes 10 --seed 7 --route 'POST /api/backup' --figures]`: requests made from the contracts, more
 * of them than `npm test` sends. The same seed makes the same requests; `--figures` tells how each route answered.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare/root.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    route: { type: 'string', default: '' },
    figures: { type: 'boolean', default: false },
  },
});
for (const name of ['minutes', 'seed']) {
  if (/^\d{1,10}$/.test(values[name])) continue;
  process.stderr.write(`--${name} must be a whole number.\n`);
  process.exit(2);
}

const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), 'gates/fuzz.test'], {
  env: {
    ...process.env,
    FUZZ_SEED: values.seed,
    FUZZ_ROUTE: values.route,
    FUZZ_FIGURES: values.figures ? '1' : '0',
    FUZZ_SECONDS: `${Number(values.minutes) * 60}`,
    FUZZ_ROUNDS: '1000000',
  },
  stdio: 'inherit',
});
const pass = (signal) => child.kill(signal);
process.on('SIGINT', pass).on('SIGTERM', pass);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
