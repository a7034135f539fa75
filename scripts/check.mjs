#!/usr/bin/env node
/**
 * `npm run check`, and `.ci/run`: what a change must pass. Ring 1 by the command of the README, lint, types, then ring 2.
 * Ends with the seconds of each project and `N passed, N failed`, in which a failed step counts as one.
 */
import { spawn } from 'node:child_process';
import { root } from './prepare/root.mjs';
import { joined, longestCheckSeconds, readReport, tableOf, tooLong, writeReport } from './testing/report.mjs';

const begun = performance.now();
const nothing = { ring: '1 and 2', seconds: 0, passed: 0, failed: 0, flaky: [], files: [] };
const failedSteps = [];

let report = await testsOf('npm', ['test', '--silent']);
for (const step of [['lint', '--', 'all'], ['typecheck']]) {
  if ((await run('npm', ['run', '--silent', ...step])) !== 0) failedSteps.push(step[0]);
}
report = joined(report, await testsOf(process.execPath, ['scripts/test.mjs', '--ring', '2']));
report = { ...report, ring: '1 and 2', seconds: (performance.now() - begun) / 1000 };
if (report.seconds > longestCheckSeconds)
  failedSteps.push(`the limit of ${longestCheckSeconds / 60} minutes`);
report.failed += failedSteps.length;
writeReport(report);

console.log(`\\n${tableOf(report)}`);
for (const { file, seconds } of tooLong(report)) console.log(`too long: ${file}, ${Math.round(seconds)} s`);
for (const test of report.flaky) console.log(`flaky: ${test}`);
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}`);
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exitCode = report.failed === 0 ? 0 : 1;

/** The report that this command leaves; without one, it has failed. */
async function testsOf(command, parameters) {
  writeReport(nothing);
  const code = await run(command, parameters);
  const left = readReport() ?? nothing;
  return left.passed + left.failed === 0 || (code !== 0 && left.failed === 0)
    ? { ...left, failed: left.failed + 1 }
    : left;
}

function run(command, parameters) {
  const child = spawn(command, parameters, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      resolve(code ?? 1);
    });
  });
}
