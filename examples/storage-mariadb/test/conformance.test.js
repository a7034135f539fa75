import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storageSuite } from '@holdfast/testkit';
import plugin from '../src/index.js';
import { dropDatabases, openDatabase } from './mariadb.js';

after(dropDatabases);
for (const { name, run } of storageSuite({ open: openDatabase })) test(name, run);

test('reports an unreachable server without the password', async () => {
  const configuration = plugin.configuration.parse({ url: 'mariadb://me:secret@127.0.0.1:1/none' });
  const storage = await plugin.create({ configuration });
  await assert.rejects(storage.start({ schema: [], stillWorking() {} }), (error) => {
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, /127\.0\.0\.1:1\/none/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});
