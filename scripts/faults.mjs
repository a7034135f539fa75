#!/usr/bin/env node
/**
 * `npm run faults [-- --all --kind restore --seed 7]`: kills the service at marked points of every kind of job.
 * Without `--all`, one point of each kind, chosen by the seed; with it, all of them, in an order given by
 * the seed.
 */
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    kind: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});
if (!/^\d{1,10}$/.test(values.seed)) {
  process.stderr.write('--seed must be a whole number.\n');
  process.exit(2);
}

runTests(['faults/marked-points'], {
  FAULTS_ALL: values.all ? '1' : '0',
  FAULTS_KIND: values.kind,
  FAULTS_SEED: values.seed,
});
