#!/usr/bin/env node
/**
 * `npm run soak [-- --minutes 10 --seed 7]`: work of all kinds on three instances during kills, freezes and outages
 * of stores, and schedules during kills, freezes and wrong clocks, for longer than in ring 3. The seed decides
 * what is requested, and what is killed when; figures are printed at the end.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,4}$/.test(value)) continue;
  process.stderr.write(`--${name} must be a positive whole number.\n`);
  process.exit(2);
}

runTests(['soak/everything', 'several-instances', 'killed-often'], {
  SOAK_MINUTES: values.minutes,
  SOAK_SEED: values.seed,
});
