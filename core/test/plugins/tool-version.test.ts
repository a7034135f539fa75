import { expect, test } from 'vitest';
import { makeToolVersion } from '../../src/engine/plugins/tool-version.js';
import { silentLog } from '../fakes/silent-log.js';

const found = { name: 'borg', version: '1.2.4', line: 'borg 1.2.4' };

test('asks once for concurrent requests', async () => {
  let asked = 0;
  const version = async () => {
    asked++;
    return found;
  };
  const tool = makeToolVersion({ driver: { version }, log: silentLog() });
  tool.probe();
  expect(await Promise.all([tool.line(), tool.line()])).toEqual(['borg 1.2.4', 'borg 1.2.4']);
  expect(await tool.line()).toBe('borg 1.2.4');
  expect(asked).toBe(1);
});

test('asks again until the tool answers, and logs failures', async () => {
  const log = silentLog();
  let missing = true;
  const version = () => {
    if (missing) throw new Error('not found');
    return Promise.resolve(found);
  };
  const tool = makeToolVersion({ driver: { version }, log });
  expect(await tool.line()).toBeNull();
  expect(await tool.line()).toBeNull();
  missing = false;
  expect(await tool.line()).toBe('borg 1.2.4');
  expect(log.entries.map(({ level }) => level)).toEqual(['warn', 'warn']);
});
