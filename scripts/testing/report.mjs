import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../prepare/root.mjs';

/**
 * Of the last run, ignored by git.
 * @typedef {{ ring: string, commit: string, seconds: number, passed: number, failed: number, flaky: string[],
 *   files: { file: string, project: string, seconds: number, tests: number }[] }} Report
 */
const reportFile = join(root, '.reports', 'tests.json');
/** No file of rings 1 and 2 may take longer, on two cores. */
export const longestFileSeconds = 30;
/** `.ci/run` as a whole. */
export const longestCheckSeconds = 30 * 60;

/** @returns {Report | null} */
export function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return null;
  }
}

/** Renamed at the end: two runs in one folder leave one whole report. */
export function writeReport(report) {
  const fresh = `${reportFile}.${process.pid}`;
  mkdirSync(dirname(reportFile), { recursive: true });
  writeFileSync(fresh, `${JSON.stringify({ ...report, commit: commit() }, null, 1)}\n`);
  renameSync(fresh, reportFile);
}

/** The sums of two runs, such as those of two rings. */
export function joined(one, other) {
  return {
    ...other,
    seconds: one.seconds + other.seconds,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    flaky: [...one.flaky, ...other.flaky],
    files: [...one.files, ...other.files],
  };
}

/** The slowest files, and the sums of each project. */
export function tableOf({ ring, seconds, files }, { slowest = 20 } = {}) {
  const projects = [...new Set(files.map(({ project }) => project))];
  const rows = projects.map((name) => {
    const own = files.filter(({ project }) => project === name);
    return [name, own.length, sum(own, 'tests'), sum(own, 'seconds')];
  });
  const all = ['all', files.length, sum(files, 'tests'), sum(files, 'seconds')];
  const last = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, slowest);
  return [
    ...(slowest > 0
      ? ['Seconds  File', ...last.map((one) => `${pad(one.seconds)}  ${one.file} (${one.project})`)]
      : []),
    `Project       Files   Tests  File-seconds`,
    ...[...rows, all].map(([name, ...figures]) => `${name.padEnd(12)} ${figures.map(pad).join(' ')}`),
    `Ring ${ring}: ${Math.round(seconds)} s`,
  ].join('\n');
}

/** The files that take too long, by their name. */
export const tooLong = ({ files }) => files.filter(({ seconds }) => seconds > longestFileSeconds);

const sum = (files, field) => files.reduce((total, file) => total + file[field], 0);
const pad = (figure) => String(Math.round(figure)).padStart(7);

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
