import type { SchemaVersion } from '@holdfast/plugin-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PluginPackages, plugin } from './plugin-packages.js';

const versions = (...numbers: number[]): SchemaVersion[] =>
  numbers.map((version) => ({ version, name: `version ${version}`, changes: [] }));

let packages: PluginPackages;
const spy = globalThis as { seen?: string[]; given?: { schema: unknown; stillWorking: unknown } };

beforeEach(() => {
  packages = new PluginPackages();
  spy.seen = [];
});
afterEach(() => packages.remove());

/** A host of a server with three versions, whose storage has these members. */
function load(body: string, apiVersion: unknown = 2) {
  const names = packages.addAll();
  const code = plugin({ kind: 'storage', body });
  packages.add('storage', { holdfast: { kind: 'storage', id: 'one', apiVersion }, code });
  return packages.load(names, { schema: versions(1, 2, 3) });
}

const storedVersion = (version: string) => `async schemaVersion() { return ${version}; },`;

test('starts a storage with the schema of the server', async () => {
  const host = await load(`start: async (given) => { globalThis.given = given; }, ${storedVersion('3')}`);
  await host.start();
  expect(spy.given).toEqual({ schema: versions(1, 2, 3), stillWorking: expect.any(Function) });
  expect(spy.seen).toContain('start driver');
});

describe('another schema version ends the start with one sentence', () => {
  test.each([
    [
      'an older one',
      storedVersion('2'),
      /^storage left its store at schema version 2, but this server needs 3: .+\.$/,
    ],
    [
      'a newer one',
      storedVersion('4'),
      /^The store of storage has schema version 4, but this server knows versions up to 3: .+\.$/,
    ],
    ['none', storedVersion('undefined'), /^storage does not report the schema version of its store: .+\.$/],
    [
      'one that it can not tell',
      'async schemaVersion() { throw new Error("gone"); },',
      /^storage .*: gone\.$/,
    ],
  ])('%s', async (_, body, sentence) => {
    const host = await load(body);
    await expect(host.start()).rejects.toMatchObject({
      name: 'PluginError',
      message: expect.stringMatching(sentence),
    });
    expect(spy.seen).toContain('stop storage');
    expect(spy.seen).not.toContain('start jobs');
  });
});

test('refuses a storage without schema support before its code runs', async () => {
  await expect(load('', '^1')).rejects.toMatchObject({
    code: 'wrong_api_version',
    message:
      'storage needs version ^1 of the storage plugin API, but this server has version 2.0.0: ' +
      'install a version of storage that supports it.',
  });
  expect(spy.seen).toEqual([]);
});
