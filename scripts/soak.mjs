#!/usr/bin/env node
/**
 * `npm run soak [-- --minutes 10 --seed 7]`: the tests of schedules under kills, freezes and wrong clocks, which
 * take too long for `npm test`. The seed chooses who is killed when; the figures are printed at the end.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare/root.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,4}$/.test(value)) continue;
  process.stderr.write(`--${name} must be a whole number from 1 on.\n`);
  process.exit(2);
}

const child = spawn(
  process.execPath,
  [join(root, 'scripts', 'test.mjs'), 'several-instances', 'killed-often'],
  {
    env: { ...process.env, SOAK_MINUTES: values.minutes, SOAK_SEED: values.seed },
    stdio: 'inherit',
  },
);
const pass = (signal) => child.kill(signal);
process.on('SIGINT', pass).on('SIGTERM', pass);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
