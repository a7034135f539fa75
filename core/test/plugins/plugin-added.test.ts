import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PluginHostOptions } from '../../src/engine/plugins/plugin-host.js';
import { requiredDriverOperations } from '../../src/foundation/ports/driver-operations.js';
import { silentLog } from '../fakes/silent-log.js';
import { PluginPackages, plugin } from './plugin-packages.js';

let packages: PluginPackages;
let own: string[];
const spy = globalThis as { seen?: string[] };

beforeEach(() => {
  packages = new PluginPackages();
  own = packages.addAll();
  spy.seen = [];
});
afterEach(() => packages.remove());

type Added = NonNullable<PluginHostOptions['added']>[number];
const from = 'PLUGINS' as const;
const required = (name: string): Added => ({ name, from, optional: false });
const optional = (name: string): Added => ({ name, from, optional: true });

const load = (added: Added[], more: Partial<PluginHostOptions> = {}) => {
  const resolve = (name: string) => (name.startsWith('no-') ? null : packages.resolve(name));
  return packages.load(own, { added, resolve, ...more });
};

/** Adds a plugin of this kind, its id and name `other`. */
const other = (kind: string, text: { body?: string; create?: string; code?: string } = {}) => {
  const schemes = kind === 'notify' ? ['chat'] : undefined;
  const body = `${kind === 'notify' ? "schemes: ['chat'], " : ''}${text.body ?? ''}`;
  const code = text.code ?? plugin({ kind, ...text, body });
  packages.add('other', { holdfast: { kind, id: 'other', schemes }, code });
};
const described = async (host: Awaited<ReturnType<typeof load>>, name: string) =>
  (await host.describe()).find((one) => one.name === name);

test.each(['storage', 'jobs', 'driver'])('uses an added %s instead of the selected one', async (kind) => {
  other(kind);
  const host = await load([required('other')]);
  expect(await described(host, 'other')).toMatchObject({ chosen: true, from: 'PLUGINS', health: null });
  expect(await described(host, kind)).toMatchObject({ chosen: false, from: 'built-in' });
  expect(spy.seen).not.toContain(`import ${kind}`);
});

test('uses an added cache in addition to the selected one', async () => {
  other('cache');
  const host = await load([required('other')]);
  await host.start();
  expect(host.ports.sharedCache).toMatchObject({ id: 'other' });
  expect(host.ports.cache).not.toBe(host.ports.sharedCache?.store);
  expect(await host.ports.sharedCache?.health()).toBeNull();
});

test.each(['storage', 'jobs', 'cache', 'driver'] as const)(
  'refuses two of %s, or one together with a variable',
  async (kind) => {
    other(kind);
    packages.add('third', { holdfast: { kind, id: 'third' }, code: plugin({ kind }) });
    await expect(load([required('other'), required('third')])).rejects.toMatchObject({
      code: 'two_chosen',
      message: expect.stringMatching(/^other and third are both/),
    });
    await expect(load([required('other')], { chosenBy: { [kind]: 'A_VARIABLE' } })).rejects.toMatchObject({
      code: 'two_chosen',
      message: expect.stringMatching(/^other .*A_VARIABLE/),
    });
    expect(spy.seen).toEqual([]);
  },
);

test.each(['storage', 'driver'])('refuses an optional %s', async (kind) => {
  other(kind);
  await expect(load([optional('other')])).rejects.toMatchObject({ code: 'not_optional' });
});

test('refuses the package name of a built-in plugin, even with new kind and id', async () => {
  packages.add('disguised', { name: 'storage', holdfast: { kind: 'notify', id: 'new' } });
  await expect(load([required('disguised')])).rejects.toMatchObject({
    code: 'taken_id',
    message: expect.stringMatching(/^storage in .*disguised has the name/),
  });
});

const failures: [string, { body?: string; create?: string; code?: string }, RegExp][] = [
  ['can not be imported', { code: 'throw new Error("boom");' }, /^other can't be imported: boom\.$/],
  ['can not be created', { create: 'throw {};' }, /^other could not be created: .*\.$/],
  [
    'is half a port',
    { body: 'set: undefined, send: undefined, get: undefined,' },
    /^other is not a complete \w+ plugin/,
  ],
  ['does not start', { body: 'start: () => Promise.reject("no"),' }, /^other could not start: no\.$/],
  ['hangs', { body: 'start: () => new Promise(() => {}),' }, /^other took more than 0.05 s to start\.$/],
];
for (const kind of ['jobs', 'cache', 'notify'] as const) {
  test.each(failures)(`skips an optional ${kind} plugin that %s`, async (_what, text, reason) => {
    other(kind, text);
    const log = silentLog();
    const host = await load([optional('other')], { log, times: { start: 50 } });
    await host.start();
    expect(await described(host, 'other')).toMatchObject({
      chosen: true,
      optional: true,
      health: expect.stringMatching(reason),
    });
    expect(host.ports.notify).toEqual([]);
    expect(host.ports.sharedCache).toBeNull();
    for (const stays of ['storage', 'jobs', 'cache', 'driver']) {
      expect(spy.seen?.filter((word) => word === `start ${stays}`)).toHaveLength(1);
    }
    expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(await host.stop()).toEqual([]);
  });
}

test('describes a missing optional plugin by its entry', async () => {
  const host = await load([optional('no-such')]);
  expect(await described(host, 'no-such')).toEqual({
    name: 'no-such',
    version: null,
    kind: null,
    id: null,
    capabilities: [],
    from: 'PLUGINS',
    optional: true,
    chosen: true,
    health: 'The plugin no-such is not installed.',
    notices: [],
  });
  await expect(load([required('no-such')])).rejects.toMatchObject({ code: 'not_found' });
});

const halves: [string, string, RegExp][] = [
  ['storage', 'find: 1, transaction: undefined,', /lacks find, transaction\.$/],
  ['jobs', 'clear: undefined,', /lacks clear\.$/],
  ['cache', 'iterator: undefined,', /lacks iterator or keysWith\.$/],
  ['cache', 'usage: 7,', /usage must be functions\.$/],
  ['notify', 'schemes: "chat",', /lacks schemes \(a list of strings\)\.$/],
  ['notify', "schemes: ['chat'], health: 'good',", /health must be functions\.$/],
  [
    'notify',
    `schemes: ['chat'], service: { id: 'other', name: 'Chat', fields: [{ name: 'Room' }] },`,
    /has an invalid service description: fields\.0\.name: must have a-z.*; template: Required\.$/,
  ],
  [
    'notify',
    `schemes: ['chat'], service: { id: 'chat', name: 'Chat', fields: [], template: 'chat://' },`,
    /its id is "chat", not "other"\.$/,
  ],
  [
    'notify',
    `schemes: ['chat'], service: { id: 'other', name: 'Chat', fields: [], template: '{scheme}://{+room}' },`,
    /its template names room, which is not a field\.$/,
  ],
  [
    'driver',
    requiredDriverOperations.map((name) => `${name}: undefined,`).join(' '),
    /lacks archiveInfo.*version\.$/,
  ],
];
test.each(halves)('refuses an incomplete %s (%s) and names the missing part', async (kind, body, message) => {
  other(kind, { code: plugin({ kind, body }) });
  await expect(load([required('other')])).rejects.toMatchObject({
    code: 'incomplete_port',
    message: expect.stringMatching(message),
  });
});

test.each([null, 7, "'text'"])('refuses a create that returns %s', async (given) => {
  other('cache', { create: `return ${given};` });
  await expect(load([required('other')])).rejects.toMatchObject({
    code: 'incomplete_port',
    message: expect.stringMatching(/^other is not a cache plugin: its create returned/),
  });
});

test('redacts messages of a plugin and makes them sentences', async () => {
  const redact = (text: string) => text.replaceAll('sesame', '***');
  for (const [health, told] of [
    ["'the password is sesame'", 'the password is ***'],
    ['{ not: "a text" }', 'other is not healthy.'],
    ['undefined', null],
  ] as const) {
    other('jobs', { body: `health: async () => (${health}),` });
    const host = await load([required('other')], { redact, times: {} });
    packages.remove();
    packages = new PluginPackages();
    packages.addAll();
    expect(await described(host, 'other')).toMatchObject({ health: told });
  }
  other('jobs', { create: 'throw new Error("sesame");' });
  await expect(load([required('other')], { redact })).rejects.toThrow('other could not be created: ***.');
});

test('names a configuration key like its variable', async () => {
  other('jobs');
  const named = load([required('other')], {
    configurationOf: ({ id }) => (id === 'other' ? { bad: 1 } : {}),
    settingName: ({ kind, id }, key) => `${kind}/${id}/${key}`,
  });
  await expect(named).rejects.toThrow(
    'The configuration of other is wrong: jobs/other/bad: must not be there.',
  );
});
