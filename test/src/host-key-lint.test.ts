import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { hostKeyProblems } from '../../scripts/check-host-keys.mjs';
import { root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const script = join(root, 'scripts', 'check-host-keys.mjs');
const workspace = makeWorkspace();
const folder = workspace.folder('tree', 'server', 'src');
afterEach(() => rmSync(join(folder, 'probe.ts'), { force: true }));
afterAll(() => workspace.remove());

// Written in two parts: this file is looked at as well.
const strict = 'StrictHost' + 'KeyChecking';
const known = 'UserKnown' + 'HostsFile';
const library = "import { Client } from 'ssh2';\n";

function check(content: string) {
  writeFileSync(join(folder, 'probe.ts'), content);
  return hostKeyProblems(workspace.path);
}

test('exits with 1 after a problem', () => {
  check(`-o ${strict}=no`);
  const { status, stderr } = spawnSync(process.execPath, [script, workspace.path], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('server/src/probe.ts:1')]);
});

test('finds no disabled host key check in the tree, and runs in lint', () => {
  execFileSync(process.execPath, [script], { stdio: 'pipe' });
  expect(readFileSync(join(root, 'scripts/lint.mjs'), 'utf8')).toContain("['scripts/check-host-keys.mjs']");
});

test.each([
  `const words = ['-o', '${strict}=no'];`,
  `${strict} no`,
  `"${strict}": "accept-new"`,
  `-o${strict}=off`,
  `${strict.toLowerCase()} = ask`,
  `['${strict}', 'no']`,
  `-o ${known}=/dev/null`,
  `${known} none`,
  `${library}new Client().connect({ host });`,
  `${library}new Client().connect({ host, host${'Verifier'}: () => true });`,
])('%j is found', (line) => {
  expect(check(line)).toEqual([expect.stringContaining('server/src/probe.ts')]);
});

test.each([
  `'${strict}=yes'`,
  `'Global${'KnownHostsFile'}=/dev/null'`,
  `${known}=/srv/data/ssh/known-hosts/1`,
  `${library}new Client().connect({ hostVerifier: (key, verify) => verify(isPinned(key)) });`,
])('%j is fine', (line) => {
  expect(check(line)).toEqual([]);
});
