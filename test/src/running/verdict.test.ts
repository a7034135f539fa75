import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../import-check.js';

let folder: string;

beforeEach(() => {
  // Below the tree, so that the files find the test runner; ignored by git.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'verdict-'));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const good = "import { test } from 'vitest'; test('good', () => {});";

/** Runs these files twice, and what failed the first time a second time. */
const program = `
import { TestFiles } from ${JSON.stringify(join(root, 'scripts', 'testing', 'run-files.mjs'))};
const files = await TestFiles.choose({ ring: 'named', words: ['--root=' + process.argv[1]], part: [1, 1] }, { hungAfterMs: 10_000 });
await files.run(files.all);
const flaky = await files.runFailedAgain(files.all);
await files.close();
const { passed, failures } = files.verdict;
console.log('\\n' + JSON.stringify({ passed, failures, flaky }));
process.exit(0);
`;

function run(files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return spawnSync(process.execPath, ['--input-type=module', '-e', program, folder], {
    cwd: folder,
    // One that hangs leaves a folder of the test runner.
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
  });
}

function verdict(files: Record<string, string>): { passed: number; failures: string[]; flaky: string[] } {
  const { stdout, stderr } = run(files);
  const [line] = stdout.trimEnd().split('\n').slice(-1);
  if (!line?.startsWith('{')) throw new Error(stdout + stderr);
  return JSON.parse(line);
}

test('passes passing tests', () => {
  expect(verdict({ 'good.test.ts': good })).toEqual({ passed: 1, failures: [], flaky: [] });
});

test('counts a failing test once and names it with its file', () => {
  const bad = "import { test } from 'vitest'; test('bad', () => { throw new Error('no'); });";
  const { passed, failures, flaky } = verdict({ 'good.test.ts': good, 'bad.test.ts': bad });
  expect({ passed, flaky }).toEqual({ passed: 1, flaky: [] });
  expect(failures).toEqual([expect.stringMatching(/^Failed: bad\n.*bad\.test\.ts\nno\n/)]);
});

test('counts a file that cannot be loaded as a failure', () => {
  const { passed, failures } = verdict({ 'good.test.ts': good, 'broken.test.ts': "import './nowhere.js';" });
  expect(passed).toBe(1);
  expect(failures).toEqual([expect.stringMatching(/^Failed as a whole: .*broken\.test\.ts\n/)]);
});

test('counts a skipped test as a failure and names it', () => {
  const skipped =
    "import { test } from 'vitest'; test.skip('left out', () => {}); test.todo('never written');";
  const { passed, failures } = verdict({ 'good.test.ts': good, 'skipped.test.ts': skipped });
  expect(passed).toBe(1);
  expect(failures).toEqual([
    expect.stringMatching(/^Did not run \(skipped\): left out\n/),
    expect.stringMatching(/^Did not run \(skipped\): never written\n/),
  ]);
});

test('counts an error outside of a test as a failure', () => {
  const late = `${good.replace("'good'", "'late'")} setTimeout(() => { throw new Error('later'); }, 1);
    test('waits', () => new Promise((done) => setTimeout(done, 100)));`;
  const { passed, failures } = verdict({ 'late.test.ts': late });
  expect(passed).toBe(2);
  expect(failures).toEqual([expect.stringMatching(/^An error outside a test:\nlater\n/)]);
});

test('counts a hook that fails as a failure', () => {
  const hook = "import { afterAll } from 'vitest'; afterAll(() => { throw new Error('left'); });";
  const { passed, failures } = verdict({ 'hook.test.ts': `${good}${hook}` });
  expect(passed).toBe(1);
  expect(failures).toEqual([expect.stringMatching(/^Failed as a whole: .*hook\.test\.ts\nleft\n/)]);
});

test('fails when no test runs', () => {
  expect(verdict({})).toMatchObject({ passed: 0, failures: ['No test ran.'] });
});

test('names a test that passes only the second time', () => {
  const flaky = `import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'vitest';
    test('sometimes', () => { const mark = '${join(folder, 'mark')}';
      if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('not yet'); } });`;
  const answer = verdict({ 'good.test.ts': good, 'flaky.test.ts': flaky });
  expect(answer).toMatchObject({ passed: 2, failures: [] });
  expect(answer.flaky).toEqual([expect.stringMatching(/flaky\.test\.ts .*: sometimes$/)]);
});

test('names the file that hangs and fails', () => {
  const hangs = "import { test } from 'vitest'; test('hangs', { timeout: 0 }, () => new Promise(() => {}));";
  const { status, stdout, stderr } = run({ 'good.test.ts': good, 'hangs.test.ts': hangs });
  expect(stderr).toMatch(/^No test ended for 10 s\. Running:\n.*hangs\.test\.ts/m);
  expect(stdout).toMatch(/\n1 passed, 1 failed\n$/);
  expect(status).toBe(1);
});
