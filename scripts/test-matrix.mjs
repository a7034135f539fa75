#!/usr/bin/env node
/**
 * `npm run test:matrix [-- --only <combination>[,…]] [--with-units] [filters and options of vitest]`: runs the system
 * tests once with each combination of storage, timers and cache; with `--with-units` all other tests once, with the
 * first combination. Prints the failures, one line per combination, and a verdict like that of `npm test`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
const folder = mkdtempSync(join(tmpdir(), 'holdfast-matrix-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const lines = [];
const failures = [];
const total = { passed: 0, failed: 0 };
for (const combination of chosen) {
  process.stdout.write(`\n=== ${combination}\n`);
  const begun = Date.now();
  const all = given.includes(units) && combination === chosen[0];
  const verdict = await run(combination, all ? parameters : ['--project', 'system', ...parameters]);
  failures.push(...verdict.remarks.map((remark) => `${combination}: ${remark}`));
  total.passed += verdict.passed;
  total.failed += verdict.failed;
  const seconds = Math.round((Date.now() - begun) / 1000);
  lines.push(`${combination}: ${verdict.passed} passed, ${verdict.failed} failed, ${seconds} s`);
}
process.exitCode = total.failed === 0 ? 0 : 1;
// Repeated here for those who read only the end.
for (const failure of failures) process.stdout.write(`\n${failure}\n`);
process.stdout.write(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`);

function choose(given) {
  const place = given.indexOf('--only');
  if (place === -1) return { chosen: combinations, parameters: given };
  const wanted = (given[place + 1] ?? '').split(',');
  const unknown = wanted.filter((name) => !combinations.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`--only must be one of ${combinations.join(', ')}, not "${unknown.join(', ')}".\n`);
    process.exit(2);
  }
  return { chosen: wanted, parameters: given.filter((_, index) => index !== place && index !== place + 1) };
}

/** Resolves to the verdict of a run; a run without one has failed. */
function run(combination, more) {
  const file = join(folder, `${combination}.json`);
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), ...more], {
    env: { ...process.env, TEST_DEEP: '1', TEST_COMBINATION: combination, TEST_VERDICT_FILE: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = (signal) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(
        verdictIn(file) ?? { passed: 0, failed: 1, remarks: [`Exited with ${code} and without a verdict.`] },
      );
    });
  });
}

function verdictIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
