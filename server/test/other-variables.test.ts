import { expect, test } from 'vitest';
import { readConfiguration } from '../src/config.js';
import { forgetPluginVariables } from '../src/other-variables.js';

const strangeIn = (environment: Record<string, string>) =>
  readConfiguration(environment).unknownVariables.map(({ name, nearest }) => [name, nearest]);

test.each([
  ['HOLDFAST_VALIDATE_RESPONSE', 'HOLDFAST_VALIDATE_RESPONSES'],
  ['KVCACHE_PASWORD', 'KVCACHE_PASSWORD'],
  ['KVCACHE_HOSTNAME', 'KVCACHE_HOST'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['PLUGIN', 'PLUGINS'],
  ['secret_key', 'SECRET_KEY'],
  ['DATADIR', 'DATA_DIR'],
])('%s may have been meant as %s', (name, nearest) => {
  expect(strangeIn({ [name]: 'x' })).toEqual([[name, nearest]]);
});

test('reports a variable with our prefix even if no name is similar', () => {
  expect(strangeIn({ HOLDFAST_X: 'x' })).toEqual([['HOLDFAST_X', null]]);
});

test('ignores variables that every environment has', () => {
  const usual = [
    'HOME',
    'PATH',
    'POST',
    'HOSTNAME',
    'PWD',
    'LANG',
    'TERM',
    'SHELL',
    'USER',
    'NODE_ENV',
    'SSH_TTY',
  ];
  const more = [
    'DATABASE_HOST',
    'XDG_DATA_DIRS',
    'REDIS_URL',
    'LOGNAME',
    'HOSTS',
    'PORTS',
    'HOLDFAST_NO_INSTALL',
  ];
  expect(strangeIn(Object.fromEntries([...usual, ...more].map((name) => [name, 'x'])))).toEqual([]);
});

test('variables of plugins are taken whole, and then forgotten', () => {
  const environment = { PLUGIN_NOTIFY_X_TOKEN: 'secret', PLUGINS: './x', PLUGIN_EMPTY: '', PATH: '/bin' };
  expect(readConfiguration(environment)).toMatchObject({
    pluginVariables: { PLUGIN_NOTIFY_X_TOKEN: 'secret' },
    unknownVariables: [],
  });
  forgetPluginVariables(environment);
  expect(environment).toEqual({ PLUGINS: './x', PATH: '/bin' });
});
