import { expect, it } from 'vitest';
import plugin from '../src/index.js';
import { openClient } from '../src/mongo-client.js';

it.each([
  ['mongodb://localhost', 'holdfast'],
  ['mongodb://localhost/', 'holdfast'],
  ['mongodb://localhost/?appName=a/b', 'holdfast'],
  ['mongodb://one:27017,two:27018,three/backups?replicaSet=rs0', 'backups'],
  ['mongodb://user:p%2Fw%40rd@localhost/my%2Ddata', 'my-data'],
])('%s: the database is %s', async (uri, name) => {
  const { client, database } = openClient(uri);
  expect(database.databaseName).toBe(name);
  await client.close();
});

it.each(['mongodb://user:hunter2@', 'mongodb://us@er:hunter2@host', 'mongodb://u:hunter2@host/?ssl=hunter2'])(
  'refuses a malformed URI without showing its password (%#)',
  (uri) => {
    expect(() => openClient(uri)).toThrow(/^the MongoDB URI is malformed/);
    expect(() => openClient(uri)).toThrow(/^(?!.*hunter2)/);
  },
);

it('refuses another scheme', () => {
  expect(plugin.configuration.safeParse({ uri: 'postgres://localhost' }).success).toBe(false);
  expect(plugin.configuration.safeParse({ uri: 'mongodb+srv://example.org' }).success).toBe(true);
});
