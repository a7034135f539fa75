import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ringOf } from '../../rings.mjs';
import { root } from '../import-check.js';

const page = readFileSync(join(root, 'docs/contributing/reliability.md'), 'utf8');
const table = page.slice(page.indexOf('## Security guarantees and their tests'));
const rows = [...table.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]*?) *\|$/gm)]
  .map(([, guarantee = '', tests = '', rings = '']) => ({ guarantee, tests, rings }))
  .filter(({ tests }) => tests.includes('.test.ts'));
const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' }).split('\n');
/** Of the names in backquotes; `*` is any part of a name. */
const patternsIn = (text: string) =>
  [...text.matchAll(/`([^`]+\.test\.ts)`/g)].map(
    ([, glob = '']) => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
  );
const projectOf = (path: string) => (/^test\/|\.real\.|conformance/.test(path) ? 'system' : 'fast');

test('lists the guarantees with existing tests', () => {
  expect(rows.length).toBeGreaterThan(40);
  const named = rows.flatMap(({ tests }) => patternsIn(tests));
  expect(named.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
});

test.each(rows)('tests in the rings that the page names: $guarantee', ({ tests, rings }) => {
  const patterns = patternsIn(tests);
  const found = files.filter((file) => patterns.some((pattern) => pattern.test(file)));
  const numbers = new Set(found.map((file) => ringOf(file, projectOf(file)) ?? 2));
  expect(rings).toBe([...numbers].sort().join(', '));
});

test('tests each guarantee at each change, except the soak', () => {
  const late = rows.filter(({ rings }) => rings === '3').map(({ guarantee }) => guarantee);
  expect(late).toEqual([expect.stringMatching(/soak/)]);
});
