import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageCopies } from '@holdfast/plugin-api';
import { offered } from '../case.js';
import { assertRejected, type StorageChecks, type StorageContext, user } from './context.js';
import { users } from './tables.js';

/** For storages that can copy themselves. A copy is taken up by a storage of its own, in the tests of the plugin. */
const copying =
  (
    check: (context: StorageContext, copies: StorageCopies, folder: string) => Promise<void>,
  ): StorageChecks[string] =>
  async (context) => {
    const copies = offered(context.storage.copies, 'copies');
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-copies-'));
    try {
      await check(context, copies, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

export const copiesChecks: StorageChecks = {
  'a copy is made during changes, and only its owner can read it': copying(
    async ({ storage }, copies, folder) => {
      await storage.insert(users, user('anna'));
      assert.ok((await copies.size()) > 0);
      const file = join(folder, 'copy');
      let going = true;
      const changes = (async () => {
        for (let n = 0; going; n++) await storage.insert(users, user(`user ${n}`));
      })();
      await copies.write(file).finally(() => {
        going = false;
      });
      await changes;
      const { mode, size } = await stat(file);
      assert.equal(mode & 0o777, 0o600);
      assert.ok(size > 0);
      assert.deepEqual(await readdir(folder), ['copy']);
    },
  ),
  'a copy does not replace an existing file': copying(async (_context, copies, folder) => {
    const file = join(folder, 'copy');
    await copies.write(file);
    const { mtimeMs, size } = await stat(file);
    await assertRejected('invalid', copies.write(file));
    const after = await stat(file);
    assert.deepEqual([after.mtimeMs, after.size], [mtimeMs, size]);
  }),
  'a cancelled copy leaves nothing': copying(async (_context, copies, folder) => {
    const called = copies.write(join(folder, 'copy'), { signal: AbortSignal.abort(new Error('called off')) });
    await assert.rejects(called);
    assert.deepEqual(await readdir(folder), []);
  }),
  'a copy can only be restored into an empty storage': copying(async ({ storage }, copies, folder) => {
    const file = join(folder, 'copy');
    await copies.write(file);
    await storage.insert(users, user('anna'));
    await assertRejected('conflict', copies.putBack(file));
    assert.equal((await storage.find(users)).length, 1);
  }),
};
