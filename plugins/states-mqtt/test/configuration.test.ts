import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import plugin from '../src/index.js';

const accepts = (configuration: object) => plugin.configuration.safeParse(configuration).success;

test.each([
  'mqtt://broker',
  'mqtt://broker:1884/',
  'mqtts://user@broker.example.org',
  'mqtt://user:p%40ss@[::1]:1883',
])('accepts %s', (url) => {
  expect(accepts({ url })).toBe(true);
});

test.each([
  ...[
    '',
    'broker:1883',
    'http://broker',
    'mqtt://',
    'ws://broker',
    'mqtt://broker/path',
    'mqtt://broker?a=1',
  ],
  'mqtt://user:s%zzcret@broker',
])('rejects %j without repeating it', (url) => {
  const { error } = plugin.configuration.safeParse({ url });
  expect(error?.issues[0]?.message).toMatch(/^must be the address of a broker/);
  expect(JSON.stringify(error)).not.toContain('zzcret');
});

test.each([
  { node: 'a/b' },
  { node: '+' },
  { prefix: 'a#' },
  { node: '' },
  { verify: 'maybe' },
  { nod: 'a' },
])('rejects %j', (wrong) => {
  expect(accepts({ url: 'mqtt://broker', ...wrong })).toBe(false);
});

test.each([
  [{ password: 'sesame-4711' }, 'A password needs a user'],
  [{ passwordFile: '/nowhere/password' }, "The file of passwordFile can't be read (ENOENT)."],
  [{ authorityFile: '/nowhere/ca' }, "The file of authorityFile can't be read (ENOENT)."],
])('names the mistake in %j', async (more, reason) => {
  const configuration = plugin.configuration.parse({ url: 'mqtt://broker', ...more });
  const create = async () =>
    plugin.create({ configuration, log: console as never, clock: Date, dataFolder: tmpdir(), fetch });
  await expect(create()).rejects.toThrow(reason);
  await expect(create()).rejects.not.toThrow('sesame-4711');
});

test('documents each setting as a variable', () => {
  const page = readFileSync(new URL('../../../docs/admin/monitoring.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `PLUGIN_STATES_MQTT_(\w+)`/gm)].map(([, name]) => name);
  const settings = Object.keys(plugin.configuration.shape);
  const variables = settings.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase());
  expect(documented.toSorted()).toEqual(variables.toSorted());
});
