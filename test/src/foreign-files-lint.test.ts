import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
afterAll(() => workspace.remove());
for (const folder of ['core/src', 'server/src', 'plugins/driver-borg/src']) workspace.folder(folder);

function check(path: string, text: string) {
  const file = join(workspace.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { status, stderr } = run(workspace.path);
  writeFileSync(file, '');
  return [status, stderr.trim()];
}

const run = (...words: string[]) => {
  const script = join(root, 'scripts', 'check-foreign-files.mjs');
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });
};

test.each([
  ['core/src/moving-in/walk.fs.ts', "import { readFile } from 'node:fs/promises';"],
  [
    'server/src/adapters/local-files.ts',
    "import { constants } from 'node:fs';\nimport { open } from 'node:fs/promises';",
  ],
  ['plugins/driver-borg/src/identity/local-identity.ts', "import fs from 'fs';"],
  ['core/src/places/look.ts', "const { readFile } = await import('node:fs/promises');"],
])('refuses a direct call of the file system when %s makes it', (path, text) => {
  expect(check(path, text)).toEqual([1, expect.stringMatching(`^${path}: `)]);
});

test.each([
  ['core/src/moving-in/walk.fs.ts', "import type { Dirent } from 'node:fs';"],
  ['server/src/adapters/local-files.ts', "import { constants } from 'node:fs';"],
  ['plugins/driver-borg/src/key-files.ts', "import { readFile } from 'node:fs/promises';"],
])('accepts types, constants and files of the service in %s', (path, text) => {
  expect(check(path, text)).toEqual([0, '']);
});

test('finds nothing in this tree, and is a step of lint', () => {
  expect(run().stderr).toBe('');
  expect(readFileSync(join(root, 'scripts/lint.mjs'), 'utf8')).toContain(
    "['scripts/check-foreign-files.mjs']",
  );
});
