import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { examplePackages } from './published/installation.js';

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path) && !path.startsWith('node_modules'))
    .map((path) => join(folder, path));

const importsOf = (file: string) =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, false).importedFiles.map(({ fileName }) => fileName);

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test.each(examplePackages())('keeps the example $name self-contained', ({ folder, dependencies }) => {
  expect(existsSync(join(folder, 'README.md'))).toBe(true);
  for (const file of sourcesOf(folder)) {
    // The tests of the one that is part of the workspace run with its runner.
    const own = relative(folder, file).startsWith('test') ? ['vitest'] : [];
    const foreign = importsOf(file).filter((name) => {
      if (name.startsWith('.')) return relative(folder, resolve(file, '..', name)).startsWith('..');
      const known = [...Object.keys(dependencies), ...own, ...builtinModules];
      return !name.startsWith('node:') && !known.includes(packageOf(name));
    });
    expect({ file, foreign }).toEqual({ file, foreign: [] });
  }
});

test.each([
  ['notify-ntfy', 40],
  ['source-redis', 60],
  ['signin-oauth', 60],
])('implements the example %s in fewer than %i lines', (wanted, most) => {
  const example = examplePackages().find(({ name }) => name === wanted);
  const text = readFileSync(join(example?.folder ?? '', 'index.js'), 'utf8');
  expect(text.split('\n').length).toBeLessThan(most);
});
