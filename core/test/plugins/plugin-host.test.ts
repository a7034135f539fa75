import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PluginHostOptions } from '../../src/engine/plugins/plugin-host.js';
import { type PackageText, PluginPackages, plugin, selection } from './plugin-packages.js';

let packages: PluginPackages;
const spy = globalThis as { seen?: string[] };

beforeEach(() => {
  packages = new PluginPackages();
  spy.seen = [];
});
afterEach(() => packages.remove());

const load = (names: string[], more?: Partial<PluginHostOptions>) => packages.load(names, more);

test('creates the chosen plugins, starts them storage first and stops them in reverse', async () => {
  const host = await load(packages.addAll());
  await host.start();
  expect(await host.stop()).toEqual([]);
  expect(spy.seen?.filter((word) => /^(start|stop)/.test(word))).toEqual([
    'start storage',
    'start jobs',
    'start cache',
    'start driver',
    'stop driver',
    'stop cache',
    'stop jobs',
    'stop storage',
  ]);
  expect(await host.stop()).toEqual([]);
});

test('neither imports nor creates plugins that are not selected', async () => {
  const names = packages.addAll();
  packages.add('other');
  await load([...names, 'other']);
  expect(spy.seen).not.toContain('import other');
  expect(spy.seen).toContain('import cache');
});

const broken: [string, PackageText, string, RegExp][] = [
  [
    'no block',
    { holdfast: null },
    'no_manifest',
    /broken is not a plugin: its package.json lacks "holdfast"/,
  ],
  [
    'a block without id',
    { holdfast: { id: undefined } },
    'no_manifest',
    /broken is not valid: id is missing/,
  ],
  ['an unknown kind', { holdfast: { kind: 'toaster' } }, 'unknown_kind', /broken .*"toaster"/],
  ['another API version', { holdfast: { apiVersion: 2 } }, 'wrong_api_version', /broken .*version 2/],
  ['a later API version', { holdfast: { apiVersion: '^1.7' } }, 'wrong_api_version', /broken .*\^1\.7/],
  [
    'a version that is none',
    { holdfast: { apiVersion: 'one' } },
    'no_manifest',
    /broken .*nor a version range/,
  ],
  ['a taken id', { holdfast: { id: 'one' } }, 'taken_id', /broken .*"one".* cache already uses/],
  ['no entry', { code: null }, 'missing_entry', /broken .*index.js/],
  ['an entry outside', { main: '../cache/index.js' }, 'entry_outside', /broken .*outside/],
];

test.each(broken)('refuses %s before any code is imported', async (_name, text, code, message) => {
  const names = packages.addAll();
  packages.add('broken', text);
  await expect(load([...names, 'broken'])).rejects.toMatchObject({
    name: 'PluginError',
    code,
    message: expect.stringMatching(message),
  });
  expect(spy.seen).toEqual([]);
});

test('refuses an entry that a link leads out of the package', async () => {
  const names = packages.addAll();
  const { symlinkSync } = await import('node:fs');
  const folder = packages.add('linked', { code: null });
  symlinkSync(join(packages.folder, 'cache', 'index.js'), join(folder, 'index.js'));
  await expect(load([...names, 'linked'])).rejects.toMatchObject({ code: 'entry_outside' });
});

test('refuses a second transport for a scheme', async () => {
  const names = packages.addAll();
  for (const id of ['a', 'b']) packages.add(id, { holdfast: { kind: 'notify', schemes: ['chat'] } });
  await expect(load([...names, 'a', 'b'])).rejects.toMatchObject({
    code: 'taken_scheme',
    message: expect.stringContaining('"chat"'),
  });
});

test('names a missing package and an unknown id', async () => {
  const names = packages.addAll();
  await expect(
    load([...names, 'gone'], { resolve: (name) => (name === 'gone' ? null : packages.resolve(name)) }),
  )
    .rejects //
    .toMatchObject({ code: 'not_found', message: expect.stringContaining('gone') });
  await expect(load(names, { selection: { ...selection, storage: 'two' } })).rejects.toMatchObject({
    code: 'not_selected',
    message: expect.stringMatching(/storage "two"/),
  });
});

const failing: [string, string, string][] = [
  ['a module of another kind', plugin({ kind: 'jobs' }), 'kind_mismatch'],
  ['a module without a plugin', 'export default 1;', 'bad_module'],
  ['a module that throws', 'throw new Error("boom");', 'bad_module'],
  ['a create that throws', plugin({ kind: 'cache', create: 'throw new Error("boom");' }), 'failed'],
  ['a create that hangs', plugin({ kind: 'cache', create: 'await new Promise(() => {});' }), 'timed_out'],
  ['an import that hangs', 'await new Promise(() => setTimeout(() => {}, 400));', 'timed_out'],
];

test.each(failing)('refuses %s, by name', async (_name, code, expected) => {
  const names = packages.addAll();
  packages.add('bad', { holdfast: { id: 'chosen' }, code });
  // Short only where it has to end: a busy machine imports slowly.
  const times = expected === 'timed_out' ? { import: 300, create: 30 } : { import: 60_000, create: 60_000 };
  await expect(
    load([...names, 'bad'], { selection: { ...selection, cache: 'chosen' }, times }),
  ).rejects.toMatchObject({ code: expected, message: expect.stringMatching(/^bad .*\.$/) });
});

test('passes each plugin its configuration and folder, and refuses invalid configurations', async () => {
  const names = packages.addAll();
  packages.add('cache', {
    holdfast: { kind: 'cache', id: 'one' },
    code: plugin({
      kind: 'cache',
      create: 'globalThis.seen.push(context.configuration.size, context.dataFolder);',
    }),
  });
  const configurationOf: PluginHostOptions['configurationOf'] = ({ kind, id }) =>
    kind === 'cache' && id === 'one' ? { size: 7 } : {};
  await load(names, { configurationOf });
  const folder = join(packages.folder, 'data', 'plugin-data', 'cache-one');
  expect(spy.seen).toEqual(expect.arrayContaining([7, folder]));
  expect(existsSync(folder)).toBe(true);
  await expect(load(names, { configurationOf: () => ({ bad: 1 }) })).rejects.toMatchObject({
    code: 'bad_configuration',
    message: 'The configuration of storage is wrong: bad: must not be there.',
  });
});

test('names a plugin that hangs at the start and stops the others', async () => {
  const names = packages.addAll();
  const body = 'start: () => new Promise(() => {}),';
  packages.add('cache', { holdfast: { kind: 'cache', id: 'one' }, code: plugin({ kind: 'cache', body }) });
  const host = await load(names, { times: { start: 30 } });
  await expect(host.start()).rejects.toMatchObject({
    code: 'timed_out',
    message: expect.stringMatching(/^cache /),
  });
  expect(spy.seen).toEqual(expect.arrayContaining(['stop jobs', 'stop storage']));
  expect(spy.seen).not.toContain('start driver');
});

test('continues stopping after a plugin that hangs, and names it', async () => {
  const names = packages.addAll();
  const body = 'stop: () => new Promise(() => {}),';
  packages.add('cache', { holdfast: { kind: 'cache', id: 'one' }, code: plugin({ kind: 'cache', body }) });
  const host = await load(names, { times: { stop: 30 } });
  await host.start();
  const problems = await host.stop();
  expect(problems.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
    ['timed_out', 'cache'],
  ]);
  expect(spy.seen).toContain('stop storage');
});

test('describes loaded plugins with capabilities and health', async () => {
  const names = packages.addAll();
  const body =
    "extract() {}, notAnOperation() {}, health: async () => 'the tool is gone'," +
    "examine: async () => ({ findings: [{ status: 'ok', text: 'there' }, { status: 'warning', text: 'lax' }] }),";
  packages.add('driver', { holdfast: { kind: 'driver', id: 'one' }, code: plugin({ kind: 'driver', body }) });
  packages.add('chat', {
    holdfast: { kind: 'notify', id: 'chat', schemes: ['chat'] },
    code: plugin({
      kind: 'notify',
      body: "schemes: ['chat'], send() {}, health: () => new Promise(() => {}),",
    }),
  });
  const host = await load([...names, 'chat'], { times: { health: 30 } });
  const described = new Map((await host.describe()).map((one) => [one.kind, one]));
  expect(described.get('storage')).toEqual({
    name: 'storage',
    version: '1.2.3',
    kind: 'storage',
    id: 'one',
    capabilities: [],
    from: 'built-in',
    optional: false,
    chosen: true,
    health: null,
    notices: [],
  });
  expect(described.get('notify')).toMatchObject({
    capabilities: ['chat'],
    health: expect.stringContaining('chat took more'),
  });
  const driver = described.get('driver');
  expect(driver).toMatchObject({ health: 'the tool is gone', notices: ['lax'] });
  expect(driver?.capabilities).toEqual(expect.arrayContaining(['compact', 'extract', 'version']));
  expect(driver?.capabilities).not.toContain('notAnOperation');
});

test('refuses a transport that serves other schemes than its manifest says', async () => {
  const names = packages.addAll();
  const code = plugin({ kind: 'notify', body: "schemes: ['talk'], send() {}," });
  packages.add('chat', { holdfast: { kind: 'notify', schemes: ['chat'] }, code });
  await expect(load([...names, 'chat'])).rejects.toMatchObject({ code: 'kind_mismatch' });
});
