import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verdictOf } from '../../scripts/services/verdict.mjs';
import { root } from './import-check.js';

let folder: string;

beforeEach(() => {
  // Below the tree, so that the files find the test runner; ignored by git.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'verdict-'));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const good = "import { test } from 'vitest'; test('good', () => {});";

function verdict(files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const report = join(folder, 'report.json');
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const parameters = ['run', `--root=${folder}`, '--reporter=json', `--outputFile=${report}`];
  const { status } = spawnSync(process.execPath, [program, ...parameters], { cwd: folder });
  return verdictOf(report, status ?? 1);
}

test('passes passing tests', () => {
  expect(verdict({ 'good.test.ts': good })).toEqual({ passed: 1, failed: 0, remarks: [] });
});

test('counts a failing test once and names it with its file', () => {
  const bad = "import { test } from 'vitest'; test('bad', () => { throw new Error('no'); });";
  const { passed, failed, remarks } = verdict({ 'good.test.ts': good, 'bad.test.ts': bad });
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(remarks).toEqual([expect.stringMatching(/^Failed: bad\n.*bad\.test\.ts\nError: no/)]);
});

test('counts a file that cannot be loaded as a failure', () => {
  const broken = "import './nowhere.js';";
  const { passed, failed, remarks } = verdict({ 'good.test.ts': good, 'broken.test.ts': broken });
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(remarks.join()).toContain('broken.test.ts');
});

test('counts a skipped test as a failure and names it', () => {
  const skipped =
    "import { test } from 'vitest'; test.skip('left out', () => {}); test.todo('never written');";
  const { passed, failed, remarks } = verdict({ 'good.test.ts': good, 'skipped.test.ts': skipped });
  expect({ passed, failed }).toEqual({ passed: 1, failed: 2 });
  expect(remarks.join()).toContain('left out');
});

test('counts an error outside of a test as a failure', () => {
  const late = `${good.replace("'good'", "'late'")} setTimeout(() => { throw new Error('later'); }, 1);
    test('waits', () => new Promise((done) => setTimeout(done, 100)));`;
  expect(verdict({ 'late.test.ts': late })).toMatchObject({ passed: 2, failed: 1 });
});

test('counts no tests as a failure', () => {
  expect(verdict({})).toMatchObject({ passed: 0, failed: 1 });
});

test('counts a missing report as a failure', () => {
  expect(verdictOf(join(folder, 'nothing.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
});
