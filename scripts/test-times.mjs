#!/usr/bin/env node
/** `npm run test:times`: the slowest files of the last run, and the sum of each project. */
import { longestFileSeconds, readReport, tableOf, tooLong } from './testing/report.mjs';

const report = readReport();
if (report === null) {
  console.error('There is no report yet: run `npm test` first.');
  process.exit(1);
}
console.log(tableOf(report));
const long = report.ring === '3' ? [] : tooLong(report);
if (long.length > 0)
  console.log(`Longer than ${longestFileSeconds} s: ${long.map(({ file }) => file).join(', ')}`);
