#!/usr/bin/env node
/**
 * `npm run hostile [-- --count 2000 --seed 7]`: restores malicious archives and checks for damage from outside; more
 * of them than ring 2. The same seed generates the same archives.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});
for (const name of ['count', 'seed']) {
  if (/^\d{1,10}$/.test(values[name])) continue;
  process.stderr.write(`--${name} must be a whole number.\n`);
  process.exit(2);
}

runTests(['hostile/hostile.test'], { HOSTILE_SEED: values.seed, HOSTILE_COUNT: values.count });
