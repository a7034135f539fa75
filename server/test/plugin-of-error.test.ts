import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pluginOfError } from '../src/adapters/plugin-of-error.js';

let folder: string;
const put = (path: string, manifest: object) => {
  mkdirSync(join(folder, path, 'dist'), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast fault-'));
  put('plugin', { name: 'some-plugin', holdfast: {} });
  put('plugin/node_modules/client', { name: 'client' });
  put('library', { name: 'library' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const errorAt = (...places: string[]) =>
  Object.assign(new Error('x'), {
    stack: ['Error: x', ...places.map((place) => `    at f (${place}:3:5)`)].join('\n'),
  });
const url = (path: string) => pathToFileURL(join(folder, path)).href;

test('names the plugin for its files and those of its dependencies', () => {
  expect(pluginOfError(errorAt(url('plugin/dist/index.js')), [])).toBe('some-plugin');
  expect(pluginOfError(errorAt('node:timers', url('plugin/node_modules/client/dist/a.js')), [])).toBe(
    'some-plugin',
  );
  expect(pluginOfError(errorAt(url('library/dist/a.js'), url('plugin/dist/index.js')), [])).toBe(
    'some-plugin',
  );
});

test('names no plugin for a built-in one and for other errors', () => {
  expect(pluginOfError(errorAt(url('plugin/dist/index.js')), ['some-plugin'])).toBeNull();
  expect(pluginOfError(errorAt(url('library/dist/a.js'), url('gone/a.js')), [])).toBeNull();
  for (const odd of [undefined, null, 'text', {}, { stack: 7 }, Object.create(null)]) {
    expect(pluginOfError(odd, [])).toBeNull();
  }
});
