// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are sources.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
afterAll(() => workspace.remove());

const write = (file: string, text: string) => {
  const path = join(workspace.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const messages = (...parameters: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/messages.mjs'), ...parameters, workspace.path], {
    encoding: 'utf8',
  });
const page = () => readFileSync(join(workspace.path, 'docs', 'developers', 'messages.md'), 'utf8');
const says = (text: string) => `import { say } from '../kernel/index.js';\n${text}\n`;

const probe = 'core/src/jobs/probe.ts';
beforeAll(() => {
  for (const folder of ['server/src', 'plugins/one/src', 'docs/developers'])
    workspace.folder(...folder.split('/'));
  write(
    'core/src/jobs/full.ts',
    says('say`disk_full: The disk of ${{ host }} is full: ${{ free: 1 }} | *.tmp.`;'),
  );
  write(
    'core/src/kernel/codes.rules.ts',
    "const codes: CodeTable<'tool_failed'> = { tool_failed: 'It failed.' };",
  );
  expect(messages().stderr).toBe('');
});
afterEach(() => rmSync(join(workspace.path, probe), { force: true }));

test('writes each sentence with the names of its values', () => {
  expect(page()).toContain(
    '\n| `disk_full` | The disk of {host} is full: {free} \\| \\*.tmp. |\n| `tool_failed` | It failed. |\n',
  );
  expect(messages('--check')).toMatchObject({ status: 0, stderr: '' });
});

test('reports an outdated page without changing it', () => {
  const before = page();
  write(probe, says('say`new_one: New.`;'));
  expect(messages('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('out of date') });
  expect(page()).toBe(before);
});

test.each([
  ['say`disk_full: Another.`;', `the code disk_full is in core/src/jobs/full.ts:2 already.`],
  ['say`tool_failed: Another.`;', 'the code tool_failed is in core/src/jobs/probe.ts:2 already.'],
  ['say`${{ code }}: Text.`;', 'the code {code} is not snake_case.'],
  ['say`No code.`;', 'a message must begin with its code and a colon.'],
  ['say`no_text`;', 'a message must begin with its code and a colon.'],
  ['say`diskFull: Text.`;', 'the code diskFull is not snake_case.'],
  ['say`disk_: Text.`;', 'the code disk_ is not snake_case.'],
  ['say`no_name: Text ${value}.`;', 'each value of no_name must be an object with one entry'],
  ['say`two_values: Text ${{ a, b }}.`;', 'each value of two_values must be an object with one entry'],
])('%s is a failure', (text, problem) => {
  const before = page();
  write(probe, says(text));
  expect(messages()).toMatchObject({ status: 1, stderr: expect.stringContaining(problem) });
  expect(page()).toBe(before);
});

test('ignores another function of the same name', () => {
  write(probe, "const say = (text: string) => text;\nsay('Any text');\n");
  expect(messages('--check')).toMatchObject({ status: 0, stderr: '' });
});
