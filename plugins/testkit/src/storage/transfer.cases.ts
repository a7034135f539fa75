import assert from 'node:assert/strict';
import type { StorageBackend, StorageTransfer } from '@holdfast/plugin-api';
import { offered } from '../case.js';
import { assertRejected, type StorageChecks, user } from './context.js';
import { type UserRow, users } from './tables.js';

/** For storages that data can be moved into and out of. */
const moving =
  (check: (storage: StorageBackend, transfer: StorageTransfer) => Promise<void>): StorageChecks[string] =>
  ({ storage }) =>
    check(storage, offered(storage.transfer, 'transfer'));

const row = (id: number, username: string): UserRow => ({
  id,
  username,
  email: null,
  password_hash: 'hash \u0000 \u{1f512}',
  last_login: null,
  is_admin: id % 2 === 0,
  is_active: true,
  must_change_password: false,
  created_at: 1_700_000_000_000,
});

export const transferChecks: StorageChecks = {
  'loaded rows keep their ids and values': moving(async (storage, transfer) => {
    const rows = [row(7, 'anna'), row(3, 'bert'), row(4_000_000_000, 'carl')];
    await transfer.load(users, rows);
    await transfer.load(users, []);
    const sorted = [...rows].sort((a, b) => a.id - b.id);
    assert.deepEqual(await storage.find(users), sorted);
  }),
  'a thousand rows are loaded at once': moving(async (storage, transfer) => {
    const rows = Array.from({ length: 1_000 }, (_, n) => row(2 * n + 1, `user ${n}`));
    await transfer.load(users, rows);
    assert.deepEqual(await storage.find(users), rows);
  }),
  'either all rows are loaded or none': moving(async (storage, transfer) => {
    await transfer.load(users, [row(1, 'anna')]);
    await assertRejected('unique', transfer.load(users, [row(2, 'bert'), row(1, 'carl')]));
    await assertRejected('unique', transfer.load(users, [row(3, 'dora'), row(4, 'anna')]));
    const wrong = { ...row(6, 'emil'), is_admin: 'yes' } as unknown as UserRow;
    await assertRejected('invalid', transfer.load(users, [row(5, 'fred'), wrong]));
    assert.deepEqual(await storage.find(users), [row(1, 'anna')]);
  }),
  'new ids are higher than loaded and reserved ones': moving(async (storage, transfer) => {
    await transfer.load(users, [row(40, 'anna')]);
    await transfer.reserveIds(users, 20);
    assert.equal((await storage.insert(users, user('bert'))).id, 41);
    await transfer.reserveIds(users, 90);
    await transfer.reserveIds(users, 50);
    assert.equal((await storage.insert(users, user('carl'))).id, 91);
  }),
  'the last id is known even after its row was removed': moving(async (storage, transfer) => {
    assert.equal(await transfer.lastId(users), 0);
    await transfer.reserveIds(users, 0);
    const { id } = await storage.insert(users, user('anna'));
    const last = await storage.insert(users, user('bert'));
    await storage.remove(users, { id: last.id });
    assert.ok(last.id > id);
    assert.equal(await transfer.lastId(users), last.id);
  }),
};
