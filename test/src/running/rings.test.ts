import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deep, first, ringOf, subjectsFor, subjectsOf } from '../../rings.mjs';
import { root } from '../import-check.js';

const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /^(core|server|plugins|test)\b/.test(path));
const journeys = files.filter(
  (path) => path.startsWith('test/src/') && !path.startsWith('test/src/conformance/'),
);

test('names only files that exist', () => {
  const named = [...first, ...deep.flatMap(({ files, again = [] }) => [...files, ...again])];
  const paths = files.map((path) => path.replace(/^test\/src\//, ''));
  expect(named.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
  const places = deep.flatMap(({ of }) => of);
  expect(places.filter((place) => !existsSync(join(root, place)) && !place.endsWith('-'))).toEqual([]);
});

test('gives each journey a ring, and long ones ring 3', () => {
  for (const path of journeys) {
    const rings = ['system', 'stores'].map((project) => ringOf(path, project));
    expect(rings.filter((ring) => ring !== null).length, path).toBeGreaterThan(0);
    if (path.includes('.long.')) expect(ringOf(path, 'system'), path).toBe(3);
  }
});

test('has a subject for each file of ring 3', () => {
  for (const path of journeys)
    for (const project of ['system', 'stores', 'stores-2', 'stores-3'])
      if (ringOf(path, project) === 3)
        expect(subjectsOf(path, project), `${path} ${project}`).not.toEqual([]);
});

test('asks for a subject when a module of the server changes', () => {
  const modules = execFileSync('git', ['ls-files', 'core/src', 'server/src', 'plugins/*/src'], {
    cwd: root,
    encoding: 'utf8',
  });
  const missed = modules
    .split('\n')
    .filter((path) => path && !path.includes('testkit') && subjectsFor([path]).length === 0);
  expect(missed).toEqual([]);
});
