#!/usr/bin/env node
/**
 * `npm run soak [-- --minutes 10 --seed 7]`: work of all kinds on three instances under kills, freezes and stores that
 * go away, and schedules under kills, freezes and wrong clocks, for longer than in `npm test`. The seed chooses what is
 * asked for, and who is killed when; the figures are printed at the end.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,4}$/.test(value)) continue;
  process.stderr.write(`--${name} must be a whole number from 1 on.\n`);
  process.exit(2);
}

runTests(['soak/everything', 'several-instances', 'killed-often'], {
  SOAK_MINUTES: values.minutes,
  SOAK_SEED: values.seed,
});
