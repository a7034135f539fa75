import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownRules } from '../../scripts/packages/rules.mjs';
import { root } from './published/installation.js';

const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = {
  name: '@holdfast/probe',
  version: project.version,
  description: 'A probe',
  license: 'Apache-2.0',
  type: 'module',
  engines: project.engines,
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  dependencies: { zod: '^3.25.0' },
};
const sound: Record<string, string> = {
  LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  'README.md': '# Probe',
  'dist/index.js':
    "import { z } from 'zod';\nimport { readFile } from 'node:fs';\nexport { z, readFile };\n//# sourceMappingURL=index.js.map",
  'dist/index.js.map': '{"sources":["../src/index.ts"]}',
  'dist/index.d.ts': "export type { z } from 'zod';",
  'dist/index.d.ts.map': '{"sources":["../src/index.ts"]}',
  'src/index.ts': '',
};

const problemsOf = (changes: Record<string, string | null>, fields: object = {}): string[] => {
  const all = { ...sound, 'package.json': JSON.stringify({ ...manifest, ...fields }), ...changes };
  const contents = new Map(Object.entries(all).filter(([, content]) => content !== null));
  return ownRules({ files: [...contents.keys()], read: (file: string) => contents.get(file) as string });
};

test('accepts a sound package', () => {
  expect(problemsOf({})).toEqual([]);
});

test('accepts a page with its files without types or code', () => {
  const page = {
    'dist/index.html': '',
    'dist/licences.txt': '',
    'dist/assets/a.js': '',
    'dist/index.js': null,
  };
  const none = {
    'dist/index.js.map': null,
    'dist/index.d.ts': null,
    'dist/index.d.ts.map': null,
    'src/index.ts': null,
  };
  const fields = { exports: { './package.json': './package.json' }, dependencies: undefined };
  expect(problemsOf({ ...none, ...page }, fields)).toEqual([]);
  expect(
    problemsOf({ ...none, ...page, 'dist/index.html': null, 'dist/a.js.map': '{"sources":[]}' }, fields),
  ).toEqual(['dist/index.html is missing', 'dist/a.js.map must not be in the package']);
  expect(problemsOf({ ...none, ...page }, { ...fields, dependencies: { zod: '^3.25.0' } })).toEqual([
    'package.json: zod is in the page already',
  ]);
});

test.each<[string, Record<string, string | null>, object, RegExp]>([
  ['no licence', { LICENSE: null }, {}, /LICENSE is missing/],
  ['another licence', { LICENSE: 'MIT' }, {}, /LICENSE is not the project's/],
  ['no README', { 'README.md': null }, {}, /README.md is missing/],
  ['what the compiler remembers', { 'dist/.tsbuildinfo': '' }, {}, /tsbuildinfo must not be in the package/],
  ['tests', { 'src/index.test.ts': '' }, {}, /index.test.ts must not be in the package/],
  ['no types', { 'dist/index.d.ts': null }, {}, /index.d.ts is missing/],
  [
    'a map without its source',
    { 'src/index.ts': null },
    {},
    /names src\/index.ts, which is not in the package/,
  ],
  ['code without a map', { 'dist/index.js.map': null }, {}, /index.js.map is missing/],
  [
    'an undeclared import',
    { 'dist/index.js': "import 'express';" },
    {},
    /imports express, which is not a dep/,
  ],
  [
    'an undeclared type',
    { 'dist/index.d.ts': "export * from 'luxon';" },
    {},
    /imports luxon, which is not a dep/,
  ],
  [
    'a private import',
    { 'dist/index.js': "import './inner.js';" },
    {},
    /inner.js, which is not in the package/,
  ],
  ['another version', {}, { version: '9.9.9' }, /version is 9.9.9/],
  ['an invented host', {}, { repository: 'https://example.org' }, /repository is not allowed/],
  ['scripts for users', {}, { scripts: { postinstall: 'true' } }, /scripts is not allowed/],
  ['a dependency by path', {}, { dependencies: { zod: 'file:../zod' } }, /zod comes from file/],
])('reports %s', (_, changes, fields, problem) => {
  expect(problemsOf(changes, fields)).toContainEqual(expect.stringMatching(problem));
});
