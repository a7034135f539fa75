#!/usr/bin/env node
/**
 * `npm run test:times`: the slowest files of the last run, and the sum of each project. With `--limits`, for lint: only
 * what exceeds a limit; fails if rings 1 and 2 took longer than half an hour.
 */
import { longestCheckSeconds, longestFileSeconds, readReport, tableOf, tooLong } from './testing/report.mjs';

const limitsOnly = process.argv.includes('--limits');
const report = readReport();
if (report === null) {
  if (!limitsOnly) console.error('There is no report yet: run `npm test` first.');
  process.exit(limitsOnly ? 0 : 1);
}
if (!limitsOnly) console.log(tableOf(report));
const long = ['1', '2', '1 and 2'].includes(report.ring) ? tooLong(report) : [];
for (const { file, seconds } of long)
  console.log(`${file}: ${Math.round(seconds)} s, longer than ${longestFileSeconds} s.`);
if (report.ring === '1 and 2' && report.seconds > longestCheckSeconds) {
  console.error(`Rings 1 and 2 took ${Math.round(report.seconds)} s, longer than ${longestCheckSeconds} s.`);
  process.exitCode = 1;
}
