import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFolder } from '../src/composition/load-plugins.js';
import { addedPlugins } from '../src/composition/plugin-sources.js';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'holdfast-sources-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const inPlugins = (...parts: string[]) => join(dataDirectory, 'plugins', ...parts);
function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}
const modules = () => [inPlugins('node_modules')];
const find = (...plugins: string[]) =>
  addedPlugins({ plugins, dataDirectory }, (name) => packageFolder(name, modules()));
const holdfast = { apiVersion: 1, kind: 'notify', id: 'x' };

test('adds nothing without sources', () => {
  expect(find()).toEqual([]);
});

test('finds the entries of PLUGINS, some of them optional', () => {
  expect(find('one', 'optional:@scope/two', 'optional: ./three')).toEqual([
    { name: 'one', from: 'PLUGINS', optional: false },
    { name: '@scope/two', from: 'PLUGINS', optional: true },
    { name: './three', from: 'PLUGINS', optional: true },
  ]);
});

test('finds folders with a package.json and ignores others', () => {
  put(inPlugins('b', 'package.json'), { holdfast });
  put(inPlugins('a', 'package.json'), 'not even JSON');
  put(inPlugins('c', 'README.md'), 'x');
  put(inPlugins('d.txt'), 'x');
  expect(find()).toEqual([
    { name: inPlugins('a'), from: 'data folder', optional: false },
    { name: inPlugins('b'), from: 'data folder', optional: false },
  ]);
});

test('finds npm dependencies that are plugins or missing', () => {
  put(inPlugins('package.json'), {
    dependencies: { '@scope/plugin': '1', helper: '1', gone: '1' },
    optionalDependencies: { perhaps: '1' },
  });
  put(inPlugins('node_modules', '@scope', 'plugin', 'package.json'), { holdfast });
  put(inPlugins('node_modules', 'perhaps', 'package.json'), { holdfast });
  put(inPlugins('node_modules', 'helper', 'package.json'), { name: 'helper' });
  put(inPlugins('node_modules', 'along', 'package.json'), { holdfast });
  expect(find().map(({ name, optional }) => [name, optional])).toEqual([
    [inPlugins('node_modules', '@scope', 'plugin'), false],
    [inPlugins('node_modules', 'gone'), false],
    [inPlugins('node_modules', 'perhaps'), true],
  ]);
});

test('lists a plugin found twice once, with the settings of PLUGINS', () => {
  put(inPlugins('package.json'), { dependencies: { twice: '1' } });
  put(inPlugins('real', 'package.json'), { holdfast });
  mkdirSync(inPlugins('node_modules'));
  symlinkSync(inPlugins('real'), inPlugins('node_modules', 'twice'));
  expect(find('optional:twice')).toEqual([{ name: 'twice', from: 'PLUGINS', optional: true }]);
  expect(find()).toHaveLength(1);
});

test.each([
  ['package.json', '{'],
  ['package.json', '{"dependencies": 7}'],
])('names a %s that contains %s', (file, text) => {
  put(inPlugins(file), text);
  expect(() => find()).toThrow(new RegExp(`^The plugins in ${inPlugins(file)} can't be read`));
});

test('names a file at the path of the folder', () => {
  put(inPlugins(), 'x');
  expect(() => find()).toThrow(/can't be read \(ENOTDIR\)/);
});
