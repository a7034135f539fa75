import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { patterns } from '../../scripts/words/patterns.mjs';
import { root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
const tree = join(workspace.path, 'tree');
afterEach(() => rmSync(tree, { recursive: true, force: true }));
afterAll(() => workspace.remove());

function write(path: string, text: string) {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(...parameters: string[]) {
  const script = join(root, 'scripts', 'check-words.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...parameters], { encoding: 'utf8' });
  return [status, stderr.trim()];
}

/** Writes a source in which `%` is the text, and checks the tree. */
function check(path: string, text: string, source = '%') {
  write(path, source.replace('%', text));
  return run(tree);
}

const page = 'docs/guides/probe.md';
const title = 'core/test/jobs/probe.test.ts';
const titles = "test('%', () => {});";
const found: [string, string, string, string?][] = [
  ['stands', page, 'The passphrase stands on the sheet.'],
  ['lies', page, 'The folder where it lies.'],
  ['told', page, 'You are told once.'],
  ['the own', page, 'Turn on the own backup.'],
  ['for ever', page, 'Holdfast keeps it for ever.'],
  ['anew', page, 'Holdfast lists it anew.'],
  ['can not', page, 'Holdfast can not open it.'],
  ['whoever', page, 'Whoever has the key can open it.'],
  ['is no', page, 'This is no file with settings.'],
  ['what', page, 'It runs. What is late gets an alert.'],
  ['its place', page, 'The file is at its old place.'],
  ['proved', page, 'This proves nothing.'],
  ['promise', page, 'The schedule promises an archive.'],
  ['goes on', page, 'The backup goes on.'],
  ['by itself', page, 'The page recovers by itself.'],
  ['person', page, 'Somebody changed it.'],
  ['beside', page, 'Keep it beside the others.'],
  ['place', page, 'Choose another place.'],
  ['there', page, 'Copy the key there again.'],
  ['route', 'console/src/messages/en/probe.ts', 'Send it to POST /api/auth/login.', "export default '%';"],
  ['title: what', title, 'returns what it has', titles],
  ['title: which', title, 'names the one which failed', titles],
  ['title: length', title, 'keeps a b c d e f g h i j k l m n', titles],
  ['title: verb', title, 'the newest archive is kept', titles],
];

test('has a case for every pattern', () => {
  expect(found.map(([pattern]) => pattern)).toEqual(patterns.map(([pattern]) => pattern));
});

test.each(found)('rejects the pattern "%s" in %s', (pattern, path, text, source) => {
  const [status, output] = check(path, text, source);
  expect(status).toBe(1);
  expect(`${output}`.split('\n')).toContain(`${path}:1: ${pattern}: ${text}`);
});

const bad = 'You are told twice.';
test.each([
  ['README.md', bad],
  ['CONTRIBUTING.md', bad],
  ['CHANGELOG.md', bad],
  ['console/src/messages/en/home.ts', `export default { title: () => '${bad}' };`],
  ['core/src/engine/jobs/probe.ts', `throw new AppError(say\`probe: ${bad}\`);`],
  ['server/src/http/probe.ts', `say\`probe: ${bad}\``],
  ['plugins/driver-borg/src/probe.ts', `say\`probe: ${bad}\``],
  ['contracts/src/probe.contract.ts', `description: '${bad}'`],
  ['server/src/cli/probe.ts', `.description('${bad}')`],
  ['core/src/insight/notifications/text.rules.ts', `advice: () => '${bad}'`],
  ['plugins/testkit/src/probe.suite.ts', `conformanceCase('${bad}', probe)`],
  ['core/test/jobs/probe.test.ts', `it.each([[')']])('${bad}', () => {});`],
  ['console/test/probe.test.tsx', `describe('${bad}', () => {});`],
])('checks %s', (path, source) => {
  expect(check(path, source)).toEqual([1, `${path}:1: told: ${bad}`]);
});

test.each([
  [page, 'Run `holdfast told` and see [this page](told.md).'],
  [page, '```sh\necho told\n```'],
  [page, 'There is no repository at this path, and the pause is no longer active.'],
  [page, 'Restore in place. Files are moved into place.'],
  [page, 'What is a restore drill?'],
  ['core/src/engine/jobs/probe.ts', "// It was told.\nconst told = /told/; log('It was told.');"],
  [title, "test('sends one message when a drill fails', () => {});"],
  [title, "test('%s is rejected', () => {});"],
])('accepts %s: %j', (path, source) => {
  expect(check(path, source)).toEqual([0, '']);
});

test('passes for this checkout, as a step of lint', () => {
  expect(run()).toEqual([0, '']);
  expect(readFileSync(join(root, 'scripts/lint.mjs'), 'utf8')).toContain("['scripts/check-words.mjs']");
});
