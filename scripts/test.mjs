#!/usr/bin/env node
/**
 * `npm test [-- <filters and options of vitest>]`: prepares everything that the tests use, runs them all, and
 * ends with what failed and `N passed, N failed`. With a filter, tests outside of it don't count; nothing else is ever
 * left out. TEST_VERDICT_FILE gets the same as JSON.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { say, stopWith } from './prepare/say.mjs';
import { startServices } from './services/start-services.mjs';
import { verdictOf } from './services/verdict.mjs';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await prepare().catch(stopWith);
const services = await startServices().catch((error) => {
  say(error.message);
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
});

const reportFile = join(folder, 'report.json');
const parameters = process.argv.slice(2);
const byName = parameters.some((word) => /^(-t|--testNamePattern)/.test(word));
const exitCode = await runTests(parameters).finally(services.stop);
const verdict = verdictOf(reportFile, exitCode, { byName });
if (process.env.TEST_VERDICT_FILE) writeFileSync(process.env.TEST_VERDICT_FILE, JSON.stringify(verdict));
const { passed, failed, remarks } = verdict;
for (const remark of remarks) say(remark);
process.exitCode = failed === 0 ? 0 : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);

function runTests(parameters) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...parameters], {
    cwd: root,
    env: { ...process.env, ...services.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
