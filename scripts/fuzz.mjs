#!/usr/bin/env node
/**
 * `npm run fuzz [-- --minutes 10 --seed 7 --route 'POST /api/backup' --figures]`: generates requests from the
 * contracts, more than ring 2 does. The same seed generates the same requests; `--figures` prints how each route
 * answered.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

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

runTests(['gates/fuzz.test'], {
  FUZZ_SEED: values.seed,
  FUZZ_ROUTE: values.route,
  FUZZ_FIGURES: values.figures ? '1' : '0',
  FUZZ_SECONDS: `${Number(values.minutes) * 60}`,
  FUZZ_ROUNDS: '1000000',
});
