#!/usr/bin/env node
/**
 * `npm run soak:browsing [-- --seconds 15 --files 200000 --levels 2000]`: ten people browse while Redis is killed,
 * hangs, is full or forgets, that many seconds each. Then each folder of a very wide and very deep tree is compared
 * with the output of bare borg. Rings 2 and 3 run a small version of each.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    files: { type: 'string', default: '200000' },
    levels: { type: 'string', default: '2000' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,5}$/.test(value)) continue;
  process.stderr.write(`--${name} must be a positive whole number.\n`);
  process.exit(2);
}

runTests(['browse-faults', 'browse-large'], {
  BROWSE_SECONDS: values.seconds,
  BROWSE_FILES: values.files,
  BROWSE_LEVELS: values.levels,
});
