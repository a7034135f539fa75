import { readFileSync } from 'node:fs';

/** Enough for the expected value, the actual value and the location; a whole response would bury the other remarks. */
const longestMessage = 2_000;

/**
 * Reads the runner's JSON report. A file that did not load, an error outside a test, a skipped test and a run without
 * tests are failures: nothing is skipped silently.
 * @param {{ byName?: boolean }} options `byName`: the tests were chosen by name, so others were skipped on purpose
 * @returns {{ passed: number, failed: number, remarks: string[] }} remarks: each failure with its name and message
 */
export function verdictOf(reportFile, exitCode, { byName = false } = {}) {
  const report = read(reportFile);
  if (report === null) {
    return {
      passed: 0,
      failed: 1,
      remarks: [`The test runner exited with ${exitCode} and wrote no report.`],
    };
  }
  const remarks = [];
  const files = report.testResults ?? [];
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !hasFailed(assertionResults),
  );
  for (const { name, message } of broken) remarks.push(`Failed as a whole: ${name}\n${message}`);
  for (const { name, assertionResults } of files) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== 'failed') continue;
      remarks.push(`Failed: ${fullName}\n${name}\n${failureMessages.join('\n').slice(0, longestMessage)}`);
    }
  }
  const skipped = files.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => !byName && status !== 'passed' && status !== 'failed'),
  );
  for (const { fullName, status } of skipped) remarks.push(`Did not run (${status}): ${fullName}`);
  const passed = report.numPassedTests;
  let failed = report.numFailedTests + broken.length + skipped.length;
  if (passed + failed === 0) {
    remarks.push('No test ran.');
    failed = 1;
  }
  if (exitCode !== 0 && failed === 0) {
    remarks.push(`The test runner exited with ${exitCode}: see its output above (an error outside a test).`);
    failed = 1;
  }
  return { passed, failed, remarks };
}

function hasFailed(assertionResults) {
  return assertionResults.some(({ status }) => status === 'failed');
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
