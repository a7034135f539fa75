import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PluginHostOptions } from '../../src/engine/plugins/plugin-host.js';
import { PluginPackages, plugin } from './plugin-packages.js';

let packages: PluginPackages;
const spy = globalThis as { seen?: string[] };

beforeEach(() => {
  packages = new PluginPackages();
  spy.seen = [];
});
afterEach(() => packages.remove());

const load = (names: string[], more?: Partial<PluginHostOptions>) => packages.load(names, more);

test('extends the time for a start with signs of life, up to a limit', async () => {
  const names = packages.addAll();
  const body = `start: (signs) => new Promise((resolve) => {
    const beat = setInterval(() => signs.stillWorking(), 20);
    setTimeout(() => { clearInterval(beat); resolve(); }, 600);
  }),`;
  const code = plugin({ kind: 'storage', body });
  packages.add('storage', { holdfast: { kind: 'storage', id: 'one' }, code });
  const host = await load(names, { times: { start: 300 } });
  await host.start();
  expect(spy.seen).toContain('start driver');
  const limited = await load(names, { times: { start: 300, longStart: 500 } });
  await expect(limited.start()).rejects.toMatchObject({
    code: 'timed_out',
    message: expect.stringMatching(/^storage took more than 0\.3 s to start: .* 0\.5 s\.$/),
  });
});

test('reports each step, sign and end of an added plugin to observers', async () => {
  const names = packages.addAll();
  const body = "schemes: ['chat'], send() {}, start: async (signs) => signs.stillWorking(),";
  packages.add('chat', {
    holdfast: { kind: 'notify', id: 'chat', schemes: ['chat'] },
    code: plugin({ kind: 'notify', body }),
  });
  const told: (string | number | boolean)[] = [];
  const host = await load(names, {
    added: [{ name: 'chat', from: 'PLUGINS', optional: false }],
    watch: (sentence, ms) => {
      told.push(sentence, ms);
      return (goesOn) => told.push(goesOn);
    },
  });
  await host.start();
  const step = (verb: string) => [`chat took more than 5 s to ${verb}.`, 5_000];
  expect(told).toEqual([...step('import'), false, ...step('create'), false, ...step('start'), true, false]);
});
