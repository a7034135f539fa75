#!/usr/bin/env node
/**
 * `npm run test:matrix [-- --only <combination>[,…]] [--with-units] [filters and options of vitest]`: the system tests
 * once with each combination of storage, alarms and cache; with `--with-units` all tests, once, with the first of them.
 * Ends with a line for each and a verdict like that of `npm test`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

const combinations = [
  'sqlite-embedded-memory',
  'sqlite-mongodb-redis',
  'postgres-embedded-memory',
  'postgres-mongodb-redis',
];

const units = '--with-units';
const given = process.argv.slice(2);
const { chosen, parameters } = choose(given.filter((word) => word !== units));
const lines = [];
const total = { passed: 0, failed: 0 };
for (const combination of chosen) {
  process.stdout.write(`\n=== ${combination}\n`);
  const begun = Date.now();
  const all = given.includes(units) && combination === chosen[0];
  const verdict = verdictOf(
    await run(combination, all ? parameters : ['--project', 'system', ...parameters]),
  );
  total.passed += verdict.passed;
  total.failed += verdict.failed;
  const seconds = Math.round((Date.now() - begun) / 1000);
  lines.push(`${combination}: ${verdict.passed} passed, ${verdict.failed} failed, ${seconds} s`);
}
process.exitCode = total.failed === 0 ? 0 : 1;
process.stdout.write(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`);

function choose(given) {
  const place = given.indexOf('--only');
  if (place === -1) return { chosen: combinations, parameters: given };
  const wanted = (given[place + 1] ?? '').split(',');
  const unknown = wanted.filter((name) => !combinations.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`--only takes ${combinations.join(', ')}; not "${unknown.join(', ')}".\n`);
    process.exit(2);
  }
  return { chosen: wanted, parameters: given.filter((_, index) => index !== place && index !== place + 1) };
}

/** Resolves to all that it printed. */
function run(combination, more) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), ...more], {
    env: { ...process.env, TEST_COMBINATION: combination },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (signal) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    output = (output + text).slice(-1000);
  });
  return new Promise((resolve) => {
    child.on('close', () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(output);
    });
  });
}

/** A run without a verdict has failed. */
function verdictOf(output) {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [null, 0, 1];
  return { passed: Number(passed), failed: Number(failed) };
}
