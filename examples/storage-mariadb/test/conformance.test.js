import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storageSuite } from '@holdfast/core/conformance';
import { schemaVersions } from '@holdfast/core/plugin';
import plugin from '../src/index.js';
import { dropDatabases, onServer, openDatabase } from './mariadb.js';

after(dropDatabases);
for (const { name, run } of storageSuite({ open: openDatabase })) test(name, run);

test('several that start at once on a new database make it once', async () => {
  const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase('suite_at_once')));
  await Promise.all(opened.map(({ close }) => close()));
  const [rows] = await onServer('SELECT version FROM suite_at_once.schema_version');
  assert.deepEqual(
    rows.map(({ version }) => version),
    schemaVersions.map(({ version }) => version),
  );
});

test('a server that is not there is told without the password', async () => {
  const configuration = plugin.configuration.parse({ url: 'mariadb://me:secret@127.0.0.1:1/none' });
  const storage = await plugin.create({ configuration });
  await assert.rejects(storage.start(), (error) => {
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, /127\.0\.0\.1:1\/none/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});
